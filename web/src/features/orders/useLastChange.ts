/** Who else changed an order, or a line of it, while it is open here: what a stale note says. */
import { useState } from "react";
import { useLiveEvents } from "@/live/LiveProvider";
import { isAbout } from "@/live/lineActivity";
import { useSignedIn } from "@/shared/session/session";

/** The full name of the last one; null where nobody did, or nobody is named. Of a line, with its `position`. */
export function useLastChange(orderId: number, position?: number): string | null {
  const me = useSignedIn().user.id;
  const [who, setWho] = useState<string | null>(null);
  useLiveEvents((event) => {
    const ofOrder = event.type === "order.changed" && event.data.id === orderId;
    const ofLine =
      position === undefined
        ? event.type === "line.changed" && event.data.salesOrderId === orderId
        : isAbout(event, { salesOrderId: orderId, position });
    if ((ofOrder || ofLine) && event.by !== null && event.by.id !== me) setWho(event.by.fullName);
  });
  return who;
}
