/** What a person chose in a list. It never loses or gains a row by itself: what no longer matches is said. */
import { useMemo, useState } from "react";
import type { CursorList } from "@/shared/http/data";
import { choose, follow, outside, type Held, type Shown } from "@/shared/selection";

/** How many rows are chosen at once by "all that match"; no write takes more. */
export const MOST_CHOSEN = 1_000;

export interface Selection<T> {
  /** Everything chosen, as it was last seen. */
  rows: T[];
  keys: string[];
  /** How many of the chosen match the list as it is narrowed now, and how many do not. */
  matching: number;
  outside: number;
  /** How many match; `exact` is false where there are more. */
  total: number;
  exact: boolean;
  /** More match than are chosen at once, and all that may be are. */
  capped: boolean;
  /** Of the rows shown, those with these keys; what is not shown stays. */
  choose: (keys: readonly string[]) => void;
  /** Chooses all that match, loading what is not; undefined where they are. Rejects with ApiError. */
  chooseAll: (() => Promise<void>) | undefined;
  dropOutside: () => void;
  /** Of the chosen rows, only these stay. */
  keep: (keys: readonly string[]) => void;
  clear: () => void;
}

/**
 * `name` tells one search from the next: what the list is narrowed to, and how it is sorted. `first` is chosen from the
 * start: what was chosen before a reload.
 */
export function useSelection<T>(
  list: CursorList<T>,
  name: string,
  keyOf: (row: T) => string,
  first: readonly T[] = [],
): Selection<T> {
  const [held, setHeld] = useState<Held<T>>(
    () => new Map(first.map((row) => [keyOf(row), { row, list: name }])),
  );
  const [capped, setCapped] = useState<string | null>(null);
  // Until the answer to a new search is there, the rows of the one before are shown.
  const [named, setNamed] = useState(name);
  if (named !== name && !list.isLoading) setNamed(name);

  const shown: Shown<T> = {
    rows: list.rows ?? [],
    list: named,
    whole: list.rows !== undefined && list.more === undefined,
    keyOf,
  };
  const { rows } = list;
  const now = useMemo(
    () => follow(held, { rows: rows ?? [], list: named, whole: false, keyOf }),
    [held, rows, named, keyOf],
  );
  const gone = outside(now, shown);
  const matching = now.size - gone.length;
  const only = (keys: ReadonlySet<string>) =>
    setHeld(new Map([...now].filter(([key]) => keys.has(key))));

  return {
    rows: useMemo(() => [...now.values()].map(({ row }) => row), [now]),
    keys: useMemo(() => [...now.keys()], [now]),
    matching,
    outside: gone.length,
    total: list.total,
    exact: list.exact,
    capped: capped === named && matching >= MOST_CHOSEN,
    choose: (keys) => setHeld(choose(now, shown, keys)),
    chooseAll:
      matching >= Math.min(list.total, MOST_CHOSEN)
        ? undefined
        : async () => {
            const all = await list.loadUpTo(MOST_CHOSEN);
            const found = { ...shown, rows: all.rows };
            // What was ticked while the rest was loaded stays ticked.
            setHeld((latest) => choose(latest, found, all.rows.map(keyOf)));
            setCapped(all.next !== null ? named : null);
          },
    dropOutside: () => only(new Set([...now.keys()].filter((key) => !gone.includes(key)))),
    keep: (keys) => only(new Set(keys)),
    clear: () => setHeld(new Map()),
  };
}
