/** Load unread notifications and mark them as read. See infra/docs/rules.md#notifications. */
import type { Notification } from "@/contract";
import { api, call } from "@/shared/http/client";
import { load, useAnswer, useAnswers } from "@/shared/http/data";
import { ORDER, UNREAD } from "@/shared/http/keys";

const TEN_MINUTES = 600_000;

/** Load at once, every ten minutes even in a hidden tab, and whenever an event makes them stale. */
export function useUnread() {
  return useAnswer(UNREAD, {}, { refreshInterval: TEN_MINUTES, refreshWhenHidden: true });
}

export function markRead(id: number): Promise<Notification> {
  return call(
    api.POST("/api/notifications/{notification_id}/read", {
      params: { path: { notification_id: id } },
    }),
  );
}

export function markAllRead(): Promise<Notification[]> {
  return call(api.POST("/api/notifications/read/all"));
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
