/** Pure functions on the selected rows of a list, which may not all be shown. */

interface Chosen<T> {
  row: T;
  /** The name of the list, with its search and filters, that last had the row. */
  list: string;
}

/** The selected rows as they were last loaded, by key. */
export type Held<T> = ReadonlyMap<string, Chosen<T>>;

/** The rows that the list shows now. */
export interface Shown<T> {
  rows: readonly T[];
  list: string;
  /** Whether `rows` are all that match. */
  whole: boolean;
  keyOf: (row: T) => string;
}

/** Select exactly these keys among the shown rows. Rows not shown stay selected. */
export function choose<T>(held: Held<T>, shown: Shown<T>, keys: readonly string[]): Held<T> {
  const next = new Map(held);
  const named = new Set(keys);
  for (const row of shown.rows) {
    const key = shown.keyOf(row);
    if (named.has(key)) next.set(key, { row, list: shown.list });
    else next.delete(key);
  }
  return next;
}

/** Update the selected rows after a reload of the list. Adds and removes no row. */
export function follow<T>(held: Held<T>, { rows, list, keyOf }: Shown<T>): Held<T> {
  const changed = rows.filter((row) => {
    const old = held.get(keyOf(row));
    return old !== undefined && (old.row !== row || old.list !== list);
  });
  if (changed.length === 0) return held;
  return new Map([...held, ...changed.map((row) => [keyOf(row), { row, list }] as const)]);
}

/** The keys of selected rows that do not match the list's present search and filters, or no longer do. */
export function outside<T>(held: Held<T>, { rows, list, whole, keyOf }: Shown<T>): string[] {
  const shown = new Set(rows.map(keyOf));
  return [...held]
    .filter(([key, chosen]) => !shown.has(key) && (whole || chosen.list !== list))
    .map(([key]) => key);
}
