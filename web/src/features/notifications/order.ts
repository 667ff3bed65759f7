/** In which order notifications are read, and which of an order's lines count. Specification 2, sections 2 and 3. */
import type { Notification, SalesOrder } from "@/contract";

const FIRST: Notification["type"] = "SalesOrderWithoutOutputProcess";

/** Unread first; among those alike, the ones without an exit first. */
export function sorted(notifications: readonly Notification[]): Notification[] {
  const rank = ({ read, type }: Notification) => Number(read) * 2 + Number(type !== FIRST);
  return notifications.toSorted((one, other) => rank(one) - rank(other));
}

/** "n de total" on the line's sheet counts the lines that are not canceled. */
export function quantityOfOrders(order: SalesOrder): number {
  return order.items.filter(({ status }) => status !== "Canceled").length;
}
