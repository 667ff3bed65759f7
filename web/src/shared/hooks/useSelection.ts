/** The rows that a user selected in a list. Only the user adds or removes rows; those that no longer match stay. */
import { useMemo, useState } from "react";
import type { CursorList } from "@/shared/http/data";
import { choose, follow, outside, type Held, type Shown } from "@/shared/selection";

/** The most rows that "all that match" selects; no write accepts more. */
export const MOST_CHOSEN = 1_000;

export interface Selection<T> {
  /** All selected rows, as they were last loaded. */
  rows: T[];
  keys: string[];
  /** How many selected rows match the list's present filters, and how many do not. */
  matching: number;
  outside: number;
  /** How many rows match; `exact` is false if there are more. */
  total: number;
  exact: boolean;
  /** Whether "all that match" reached MOST_CHOSEN while more rows match. */
  capped: boolean;
  /** Selects exactly these keys among the rows shown; rows not shown stay selected. */
  choose: (keys: readonly string[]) => void;
  /** Loads and selects all rows that match; undefined if they are selected already. Rejects with ApiError. */
  chooseAll: (() => Promise<void>) | undefined;
  dropOutside: () => void;
  keep: (keys: readonly string[]) => void;
  clear: () => void;
}

/**
 * `name` identifies the list's filters and order. `first`: the rows selected at the start, from before a reload.
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
  // The rows of the previous search are shown until the new one is answered.
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
            // Keep rows that the user selected during the load.
            setHeld((latest) => choose(latest, found, all.rows.map(keyOf)));
            setCapped(all.next !== null ? named : null);
          },
    dropOutside: () => only(new Set([...now.keys()].filter((key) => !gone.includes(key)))),
    keep: (keys) => only(new Set(keys)),
    clear: () => setHeld(new Map()),
  };
}
