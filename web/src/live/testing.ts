/** What an event does to an answer on screen, for the tests. */
import type { LiveEvent } from "@/contract";
import type { Key } from "@/shared/http/keys";
import { put, take, view } from "@/shared/http/store";
import { applicationOf } from "./apply";

/** An answer as the event leaves it, its documents with it. */
export function afterEvent<T extends object>(event: LiveEvent, key: Key, kept: T): T {
  const { documents = [], lists = [] } = applicationOf(event);
  take(kept);
  put(documents);
  return lists
    .filter(({ covers }) => covers(key))
    .reduce<T>((now, { change }) => change(now) as T, view(kept));
}
