/** The slide-over menu: every page the person may open, by group. */
import Drawer from "antd/es/drawer";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { useSignedIn } from "@/shared/session/session";
import { menuOf } from "../menu";
import { ROUTES } from "../routes";

export default function SideMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation(["shell", "shared"]);
  const { permissions } = useSignedIn();
  return (
    <Drawer
      placement="left"
      size={288}
      open={open}
      onClose={onClose}
      title={t("shared:product")}
      closable={{ "aria-label": t("menu.close") }}
    >
      <nav className="ob-menu" aria-label={t("menu.label")}>
        {menuOf(ROUTES, permissions).map(({ group, entries }) => (
          <section className="ob-menu__group" key={group}>
            <h2>{t(`menu.groups.${group}`)}</h2>
            <ul>
              {entries.map(({ path, title }) => (
                <li key={path}>
                  <NavLink to={path} onClick={onClose}>
                    {t(`pages.${title}`)}
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </Drawer>
  );
}
