/** What somebody else did in the meantime to what is open here. */
import { useState } from "react";
import type { LiveEvent } from "@/contract";
import { useSignedIn } from "@/shared/session/session";
import { useLiveEvents } from "./LiveProvider";
import { isOwnChange } from "./ownChanges";

/**
 * The last event of this kind that another user caused, or this one on another screen; null until one comes. `worker`:
 * another user in whose name this screen writes.
 */
export function useLastByOthers<E extends LiveEvent>(
  isOfKind: (event: LiveEvent) => event is E,
  worker?: number,
): E | null {
  const me = useSignedIn().user.id;
  const [last, setLast] = useState<E | null>(null);
  useLiveEvents((event) => {
    if (isOfKind(event) && ![me, worker ?? me].some((id) => isOwnChange(event, id))) setLast(event);
  });
  return last;
}
