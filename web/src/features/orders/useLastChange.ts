/** Who else changed an order, or a line of it, while it is open here: what a stale note says. */
import type { LiveEvent } from "@/contract";
import { isAbout } from "@/live/lineActivity";
import { useLastByOthers } from "@/live/useLastByOthers";
import { useSignedIn } from "@/shared/session/session";

/** The full name of the last one; null where nobody did, or nobody is named. Of a line, with its `position`. */
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
