import { useState } from "react";
import type { LiveEvent } from "@/contract";
import { useNamed } from "@/shared/http/names";
import { useSignedIn } from "@/shared/session/session";
import { useLiveEvents } from "./LiveProvider";
import { isOwnChange } from "./ownChanges";

/**
 * Return the last event of this kind that this screen did not cause: another user did, or the same
 * user on another screen. Null until one comes. `worker`: a user for whom this screen also writes.
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
  return useNamed(last);
}
