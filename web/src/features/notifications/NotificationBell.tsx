/** The bell of the navbar: how many notifications are unread. */
import BellOutlined from "@ant-design/icons/es/icons/BellOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { useUnreadCount } from "./useUnreadCount";
import "./NotificationBell.css";

const MOST_SHOWN = 99;

export function NotificationBell() {
  const { t } = useTranslation("notifications");
  const unread = useUnreadCount();
  return (
    <Button
      className="ob-navbar__button ob-bell"
      type="text"
      aria-label={t("bell", { count: unread })}
    >
      <BellOutlined aria-hidden />
      {unread > 0 && (
        <span className="ob-bell__badge" aria-hidden>
          {unread > MOST_SHOWN ? `+${MOST_SHOWN}` : unread}
        </span>
      )}
    </Button>
  );
}
