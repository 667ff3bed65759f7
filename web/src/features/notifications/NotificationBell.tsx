/** Bell of the navbar: the number of unread notifications. It opens the dialog if there are any. */
import BellOutlined from "@ant-design/icons/es/icons/BellOutlined";
import Button from "antd/es/button";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Notification } from "@/contract";
import { useLiveEvents } from "@/live/LiveProvider";
import { isNotified } from "@/live/mask";
import { useAnswers } from "@/shared/http/data";
import { at, UNREAD } from "@/shared/http/keys";
import { pendingReads, removePendingRead } from "@/shared/session/pendingReads";
import { useMay } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { showOnDesktop } from "./desktop";
import { markRead, useBell, useLoadOrder, useUnread } from "./notifications.api";
import { placeOf, standingOf, titleOf } from "./titles";
import "./notifications.css";

const NotificationDialog = lazyPart(() => import("./NotificationDialog"));
const MOST_SHOWN = 99;

export interface OpenedLine {
  salesOrderId: number;
  position: number;
}

export function NotificationBell({ onOpenLine }: { onOpenLine: (line: OpenedLine) => void }) {
  const { t } = useTranslation("notifications");
  const { data: loaded = [], mutate } = useUnread();
  const { data: bell, mutate: reloadBell } = useBell();
  const muted = bell?.muted ?? [];
  const unread = loaded.filter(({ type }) => !muted.includes(type));
  const own = bell?.notices ?? [];
  const loadOrder = useLoadOrder();
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  const navigate = useNavigate();
  const mayOpenOrder = useMay("ListSalesOrders");
  usePendingReads();
  useLiveEvents((event) => {
    if (event.type !== "notification.created") return;
    const created = event.data as Notification;
    if (!isNotified(created.message.productionProcessId)) return;
    if (muted.includes(created.type)) return;
    showOnDesktop(
      created.id,
      titleOf(created, t),
      `${placeOf(created, t)}\n${standingOf(created, t)}`,
      () => void openLine(created),
    );
  });

  async function openLine({ message: { salesOrderId, position, answer } }: Notification) {
    if (answer !== null && mayOpenOrder) {
      close();
      await navigate(`/operations/sales-orders/${salesOrderId}`); // with the customer's answer
      return;
    }
    try {
      // Load the order first: the sheet's "n de total" counts its lines.
      await loadOrder(salesOrderId);
      onOpenLine({ salesOrderId, position });
    } catch (reason) {
      toastError(reason);
    }
  }

  function close() {
    setOpen(false);
    void mutate();
    void reloadBell();
  }

  const count = unread.length + own.length;
  const capped = count > MOST_SHOWN;
  const shown = capped ? `+${MOST_SHOWN}` : String(count);
  return (
    <>
      <Button
        size="large"
        className="ob-navbar__button ob-bell"
        type="text"
        aria-label={t(capped ? "bellMost" : "bell", { count, shown })}
        aria-haspopup="dialog"
        onClick={() => {
          if (count === 0) return;
          setAsked(true);
          setOpen(true);
        }}
      >
        <BellOutlined aria-hidden />
        {count > 0 && (
          <span className="ob-bell__badge" aria-hidden>
            {shown}
          </span>
        )}
      </Button>
      {asked && (
        <NotificationDialog
          open={open}
          unread={unread}
          own={own}
          onClose={close}
          onOpenOwn={({ path }) => void navigate(path)}
          onOpenLine={(notification) => void openLine(notification)}
        />
      )}
    </>
  );
}

const BETWEEN = 500;

/** On start, send again the read marks that have not reached the server, one at a time. */
export function usePendingReads(): void {
  const { reload } = useAnswers();
  useEffect(() => {
    const ids = pendingReads();
    let timer: ReturnType<typeof setTimeout>;
    const sendFrom = (index: number) => {
      const id = ids[index];
      if (id === undefined) {
        if (index > 0) void reload(at(UNREAD));
        return;
      }
      markRead(id)
        .then(
          () => removePendingRead(id),
          () => undefined, // it stays pending; the others are still sent
        )
        .finally(() => {
          timer = setTimeout(() => sendFrom(index + 1), BETWEEN);
        });
    };
    timer = setTimeout(() => sendFrom(0), 0);
    return () => clearTimeout(timer);
  }, [reload]);
}
