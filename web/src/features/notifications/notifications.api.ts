/** Unread notifications and marking them as read. Specification 2, sections 2, 4 and 8. */
import useSWR, { useSWRConfig } from "swr";
import type { Notification, SalesOrder } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { keys } from "@/shared/keys";
import { newestOrder } from "@/shared/newest";

const TEN_MINUTES = 600_000;

/** Loaded at once, every ten minutes, and whenever an event says so. */
export function useUnread() {
  return useSWR<Notification[], ApiError>(
    keys.notifications(),
    () => call(api.GET("/api/notifications/unread")),
    { refreshInterval: TEN_MINUTES },
  );
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

/** Loads an order afresh and leaves it where the line's page will look for it. */
export function useLoadOrder(): (orderId: number) => Promise<void> {
  const { mutate } = useSWRConfig();
  return async (orderId) => {
    const order: SalesOrder = await call(
      api.GET("/api/sales-order/{order_id}", { params: { path: { order_id: orderId } } }),
    );
    await mutate(keys.order(orderId), newestOrder(order), { revalidate: false });
  };
}
