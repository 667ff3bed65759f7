/** Tell who else changed an order or a line while it is open, for the stale note. */
import type { LiveEvent } from "@/contract";
import { isAbout } from "@/live/lineActivity";
import { useLastByOthers } from "@/live/useLastByOthers";
import { useSignedIn } from "@/shared/session/session";

/**
 * Return the full name of the last user who changed the order, or with `position` that line. Null
 * if nobody did, the name is unknown, or it was this user.
 */
export function useLastChange(orderId: number, position?: number): string | null {
  const me = useSignedIn().user.id;
  const last = useLastByOthers((event): event is LiveEvent => {
    if (event.type === "order.changed") return event.data.id === orderId;
    return position === undefined
      ? event.type === "line.changed" && event.data.salesOrderId === orderId
      : isAbout(event, { salesOrderId: orderId, position });
  });
  return last?.by?.id === me ? null : (last?.by?.fullName ?? null);
}
