/** Menu toggle, home, live state, bell and user menu. Specification 1, section 2. */
import MenuOutlined from "@ant-design/icons/es/icons/MenuOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { LiveIndicator } from "@/live/LiveIndicator";
import { useIsCustomer } from "@/shared/session/session";
import { Notifications } from "./Notifications";
import { UserMenu } from "./UserMenu";

interface Props {
  menuOpen: boolean;
  onToggleMenu: () => void;
}

export function Navbar({ menuOpen, onToggleMenu }: Props) {
  const { t } = useTranslation(["shell", "shared"]);
  const customer = useIsCustomer();
  return (
    <header className="ob-navbar" aria-label={t("navbar.label")}>
      <Button
        className="ob-navbar__button"
        type="text"
        icon={<MenuOutlined aria-hidden />}
        aria-label={menuOpen ? t("menu.close") : t("menu.open")}
        aria-expanded={menuOpen}
        onClick={onToggleMenu}
      />
      <Link className="ob-navbar__brand" to="/home" aria-label={t("navbar.home")}>
        <img src="./favicon.svg" alt="" width={24} height={24} />
        <span>{t("shared:product")}</span>
      </Link>
      <span className="ob-navbar__space" />
      <LiveIndicator />
      {!customer && <Notifications />}
      <UserMenu />
    </header>
  );
}
