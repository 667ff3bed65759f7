import type { LiveEvent } from "@/contract";
import type { Key } from "@/shared/http/keys";
import { put, take, view } from "@/shared/http/store";
import { applicationOf } from "./apply";

/** For tests: apply an event to a cached answer and return the new view of it. */
export function afterEvent<T extends object>(event: LiveEvent, key: Key, kept: T): T {
  const { documents = [], lists = [] } = applicationOf(event);
  take(kept);
  put(documents);
  return lists
    .filter(({ covers }) => covers(key))
    .reduce<T>((now, { change }) => change(now) as T, view(kept));
}
