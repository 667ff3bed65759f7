/** In which order notifications are read. Specification 2, section 3. */
import type { Notification } from "@/contract";

const FIRST: Notification["type"] = "SalesOrderWithoutOutputProcess";

/** Unread first; among those alike, the ones without an exit first. */
export function sorted(notifications: readonly Notification[]): Notification[] {
  const rank = ({ read, type }: Notification) => Number(read) * 2 + Number(type !== FIRST);
  return notifications.toSorted((one, other) => rank(one) - rank(other));
}
