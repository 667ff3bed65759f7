/** An answer may come after news that is younger than it: what is on screen goes back to nothing older. */
import type { SalesOrder } from "@/contract";

/** For SWR's `mutate`: the answer, unless what is held is newer. */
export function newest<T extends { version: number }>(answer: T): (held: T | undefined) => T {
  return (held) => (held !== undefined && held.version > answer.version ? held : answer);
}

/** An order's own version does not count the changes of its lines: each of them has one. */
export function newestOrder(answer: SalesOrder): (held: SalesOrder | undefined) => SalesOrder {
  return (held) => {
    const lines = new Map(held?.items.map((line) => [line.position, line]));
    return {
      ...newest(answer)(held),
      items: answer.items.map((line) => newest(line)(lines.get(line.position))),
    };
  };
}
