/** On start, read-marks that did not reach the server are sent again, one at a time. Specification 1, section 4. */
import { useEffect } from "react";
import { useAnswers } from "@/shared/http/data";
import { at, UNREAD } from "@/shared/http/keys";
import { pendingReads, removePendingRead } from "@/shared/session/pendingReads";
import { markRead } from "./notifications.api";

const BETWEEN = 500;

export function usePendingReads(): void {
  const { reload } = useAnswers();
  useEffect(() => {
    const ids = pendingReads();
    let timer: ReturnType<typeof setTimeout>;
    const sendFrom = (index: number) => {
      const id = ids[index];
      if (id === undefined) {
        if (index > 0) void reload(at(UNREAD));
        return;
      }
      markRead(id)
        .then(
          () => removePendingRead(id),
          () => undefined, // It stays pending; the others are sent all the same.
        )
        .finally(() => {
          timer = setTimeout(() => sendFrom(index + 1), BETWEEN);
        });
    };
    timer = setTimeout(() => sendFrom(0), 0);
    return () => clearTimeout(timer);
  }, [reload]);
}
