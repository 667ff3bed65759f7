/**
 * The user's own notices, in the dialog of the bell: finished imports, and pieces for their
 * process.
 */
import CheckOutlined from "@ant-design/icons/es/icons/CheckOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import { formatInstant } from "@/shared/format/plant";
import type { OwnNotice } from "./notifications.api";
import { ownTextOf, ownTitleOf } from "./titles";
import "./notifications.css";

interface Props {
  notices: readonly OwnNotice[];
  busy: boolean;
  onOpen: (notice: OwnNotice) => void;
  onMark: (notice: OwnNotice) => void;
}

export function OwnNotices({ notices, busy, onOpen, onMark }: Props) {
  const { t } = useTranslation("notifications");
  if (notices.length === 0) return null;
  return (
    <ul className="ob-ruled" aria-label={t("own.own")}>
      {notices.map((notice) => (
        <li key={notice.id} className="ob-bar">
          <button
            type="button"
            className="ob-stack ob-stack--tight ob-fill ob-notification__open"
            onClick={() => onOpen(notice)}
          >
            <strong>{ownTitleOf(notice, t)}</strong>
            <span>{ownTextOf(notice, t)}</span>
            <time className="ob-quiet ob-small" dateTime={notice.createdAt}>
              {formatInstant(notice.createdAt)}
            </time>
          </button>
          <Button
            type="text"
            icon={<CheckOutlined aria-hidden />}
            aria-label={t("mark")}
            title={t("mark")}
            disabled={busy}
            onClick={() => onMark(notice)}
          />
        </li>
      ))}
    </ul>
  );
}
