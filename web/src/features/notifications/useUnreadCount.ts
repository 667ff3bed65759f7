/** How many notifications came and were not read while this page is open. */
import { useState } from "react";
import { useLiveEvents } from "@/realtime/LiveProvider";

export function useUnreadCount(): number {
  const [unread, setUnread] = useState<ReadonlySet<number>>(new Set());
  useLiveEvents((event) => {
    if (event.type === "notification.created") {
      setUnread((old) => new Set([...old, event.data.id]));
    } else if (event.type === "notification.read") {
      setUnread((old) => new Set([...old].filter((id) => id !== event.data.id)));
    }
  });
  return unread.size;
}
