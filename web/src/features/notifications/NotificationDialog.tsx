import CheckOutlined from "@ant-design/icons/es/icons/CheckOutlined";
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import type { LineRow, Notification } from "@/contract";
import { Forecast } from "@/entities/forecast/Forecast";
import { formatDay } from "@/shared/format/plant";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { Thumb } from "@/shared/picture/Thumb";
import { addPendingRead } from "@/shared/session/pendingReads";
import { Standing } from "@/entities/standing/Standing";
import { toast } from "@/shared/ui/toast";
import { useLinesOf, useMarkRead, type OwnNotice } from "./notifications.api";
import { OwnNotices } from "./OwnNotices";
import { placeOf, standingOf, titleOf } from "./titles";
import { TALL_DIALOG } from "@/shared/ui/tallDialog";
import "./notifications.css";

interface Props {
  open: boolean;
  unread: readonly Notification[];
  own: readonly OwnNotice[];
  onOpenLine: (notification: Notification) => void;
  onOpenOwn: (notice: OwnNotice) => void;
  onClose: () => void;
}

export default function NotificationDialog(props: Props) {
  const { open, unread, own, onOpenLine, onOpenOwn, onClose } = props;
  const { t } = useTranslation("notifications");
  const { markRead, markOwnRead, markAllRead } = useMarkRead();
  const one = useSubmit((_headers, id: number) => markRead(id));
  const owned = useSubmit(markOwnRead);
  const all = useSubmit((headers) =>
    Promise.all([
      unread.length > 0 && markAllRead(),
      own.length > 0 && markOwnRead(headers, idsOf(own)),
    ]),
  );
  const lines = useLinesOf(unread);

  async function onMark(notification: Notification) {
    try {
      if ((await one.submit(notification.id)) === undefined) return;
    } catch (reason) {
      if (asApiError(reason).isOffline) addPendingRead(notification.id);
      toast.error(t("markFailed"));
      return;
    }
    toast.success(t("marked"));
    onClose();
    onOpenLine(notification);
  }

  /** Mark one of the user's own notices as read. `opens`: also show what the notice is about. */
  async function onOwn(notice: OwnNotice, opens: boolean) {
    try {
      if ((await owned.submit([notice.id])) === undefined) return;
    } catch {
      toast.error(t("markFailed"));
      if (!opens) return;
    }
    onClose();
    if (opens) onOpenOwn(notice);
  }

  async function onMarkAll() {
    try {
      if ((await all.submit()) === undefined) return;
    } catch {
      toast.error(t("markAllFailed"));
      return;
    }
    toast.success(t("markedAll"));
    onClose();
  }

  const { inList, answers } = parted(unread);
  const drawn = (notification: Notification) => (
    <li
      key={notification.id}
      className={`ob-bar ob-notification ob-notification--${notification.type}`}
    >
      <button
        type="button"
        className="ob-stack ob-stack--tight ob-fill ob-notification__open"
        onClick={() => onOpenLine(notification)}
      >
        <strong>{titleOf(notification, t)}</strong>
        <span>{placeOf(notification, t)}</span>
        <WhatIsSo notification={notification} line={lines.get(notification.message.lineId)} />
      </button>
      <Button
        type="text"
        icon={<CheckOutlined aria-hidden />}
        aria-label={t("mark")}
        title={t("mark")}
        disabled={one.busy}
        onClick={() => void onMark(notification)}
      />
    </li>
  );

  return (
    <Modal
      styles={TALL_DIALOG}
      open={open}
      width={500}
      title={t("title", { count: unread.length + own.length })}
      onCancel={onClose}
      closable={{ "aria-label": t("close") }}
      footer={
        <>
          {unread.length + own.length > 0 && (
            <Button loading={all.busy} onClick={() => void onMarkAll()}>
              {t("markAll")}
            </Button>
          )}
          <Button onClick={onClose}>{t("close")}</Button>
        </>
      }
    >
      {inList.length > 0 && <ul className="ob-ruled">{sorted(inList).map(drawn)}</ul>}
      {(answers.length > 0 || own.length > 0) && (
        <section className="ob-stack" aria-labelledby="bell-own">
          <h3 id="bell-own">{t("own.title")}</h3>
          {answers.length > 0 && <ul className="ob-ruled">{answers.map(drawn)}</ul>}
          <OwnNotices
            notices={own}
            busy={owned.busy}
            onOpen={(notice) => void onOwn(notice, true)}
            onMark={(notice) => void onOwn(notice, false)}
          />
        </section>
      )}
      {unread.length + own.length === 0 && <p className="ob-quiet">{t("none")}</p>}
    </Modal>
  );
}

/** Part the notifications of the list from customers' answers, which stand below it. */
export function parted(unread: readonly Notification[]) {
  return {
    inList: unread.filter(({ type }) => type !== "customerAnswer"),
    answers: unread.filter(({ type }) => type === "customerAnswer"),
  };
}

const idsOf = (notices: readonly OwnNotice[]) => notices.map(({ id }) => id);

/**
 * Show the line and where it is, and for a delivery the date. Until the line is loaded, show only
 * the cause.
 */
function WhatIsSo({
  notification,
  line,
}: {
  notification: Notification;
  line: LineRow | undefined;
}) {
  const { t } = useTranslation("notifications");
  const { deliveryDate } = notification.message;
  return (
    <>
      {line !== undefined && (
        <span className="ob-bar">
          <Thumb address={line.thumbnail} />
          <span>
            {line.itemName} · {line.customerName}
          </span>
        </span>
      )}
      {deliveryDate !== null && (
        <span className="ob-quiet ob-small">
          {standingOf(notification, t)} ·{" "}
          <time dateTime={deliveryDate}>{t("delivery", { day: formatDay(deliveryDate) })}</time>
        </span>
      )}
      {line !== undefined && (
        <span className="ob-small">
          <Standing line={line} />
        </span>
      )}
      {line !== undefined && notification.type === "likelyLate" && (
        <span className="ob-small">
          <Forecast forecast={line.forecast} late={line.late} />
        </span>
      )}
      {line === undefined && deliveryDate === null && (
        <span className="ob-quiet ob-small">{standingOf(notification, t)}</span>
      )}
    </>
  );
}

const FIRST: Notification["type"] = "SalesOrderWithoutOutputProcess";

/**
 * Sort unread notifications first. Within each half, lines without an exit process come first, then
 * likely late lines.
 */
export function sorted(notifications: readonly Notification[]): Notification[] {
  const place = ({ type }: Notification) => (type === FIRST ? 0 : type === "likelyLate" ? 1 : 2);
  const rank = (one: Notification) => Number(one.read) * 3 + place(one);
  return notifications.toSorted((one, other) => rank(one) - rank(other));
}
