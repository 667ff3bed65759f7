/** Load unread notifications and mark them as read. See infra/docs/rules.md#notifications. */
import { useMemo } from "react";
import type { LineRow, Notification, Schemas } from "@/contract";
import { useLiveStatus } from "@/live/LiveProvider";
import { api, call } from "@/shared/http/client";
import { load, useAnswer, useAnswers } from "@/shared/http/data";
import { BELL, LINES, ORDER, UNREAD } from "@/shared/http/keys";

const TEN_MINUTES = 600_000;

/**
 * Load the unread notifications: at once, every ten minutes even in a hidden tab, and after an
 * event about them. Without a connection, the page loads everything every ten minutes anyway.
 */
export function useUnread() {
  const { state } = useLiveStatus();
  const refreshInterval = state === "polling" ? 0 : TEN_MINUTES;
  return useAnswer(UNREAD, {}, { refreshInterval, refreshWhenHidden: true });
}

/** A notice that is meant only for this user. */
export type OwnNotice = Schemas["NoticeOut"];

/**
 * The user's own notices, and the kinds of notifications that they do not want in the bell. Events
 * keep them fresh.
 */
export function useBell() {
  return useAnswer(BELL, {}, { quiet: true });
}

function markOwnRead(
  headers: { "Idempotency-Key": string },
  ids: readonly number[],
): Promise<Schemas["BellOut"]> {
  return call(api.POST("/api/notices/bell/read", { body: { ids: [...ids] }, headers }));
}

const MOST_LINES = 200;

/** The lines that the first notifications are about, by id; those that are not loaded yet are missing. */
export function useLinesOf(notifications: readonly Notification[]): Map<number, LineRow> {
  const ids = [...new Set(notifications.map(({ message }) => message.lineId))].slice(0, MOST_LINES);
  const asked = ids.length === 0 ? null : { query: { ids, limit: MOST_LINES } };
  const { data } = useAnswer(LINES, asked, { keepPreviousData: true });
  return useMemo(() => new Map(data?.map((line) => [line.id, line])), [data]);
}

export function markRead(id: number): Promise<Notification> {
  return call(
    api.POST("/api/notifications/{notification_id}/read", {
      params: { path: { notification_id: id } },
    }),
  );
}

/** Marks notifications as read: they leave the bell at once, and come back if that is refused. */
export function useMarkRead() {
  const { foresee } = useAnswers();
  return {
    markRead: (id: number) =>
      foresee(
        UNREAD,
        {},
        (unread) => unread.filter((each) => each.id !== id),
        () => markRead(id),
      ),
    markAllRead: () =>
      foresee(
        UNREAD,
        {},
        () => [],
        () => call(api.POST("/api/notifications/read/all")),
      ),
    markOwnRead: (headers: { "Idempotency-Key": string }, ids: readonly number[]) =>
      foresee(
        BELL,
        {},
        (bell) => ({ ...bell, notices: bell.notices.filter(({ id }) => !ids.includes(id)) }),
        () => markOwnRead(headers, ids),
      ),
  };
}

/** Load an order again and cache it for the line's page. */
export function useLoadOrder(): (orderId: number) => Promise<void> {
  const { put } = useAnswers();
  return async (orderId) => {
    const asked = { path: { order_id: orderId } };
    const order = await load(ORDER, asked);
    await put(ORDER, asked, () => order);
  };
}
