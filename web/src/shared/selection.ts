/** Which rows of a list are chosen, whatever the list shows at the moment. Pure. */

interface Chosen<T> {
  row: T;
  /** The list it was last seen in: its search and filters. */
  list: string;
}

/** The chosen rows as they were last seen, by their keys. */
export type Held<T> = ReadonlyMap<string, Chosen<T>>;

/** What the list shows now. */
export interface Shown<T> {
  rows: readonly T[];
  list: string;
  /** `rows` is all that matches. */
  whole: boolean;
  keyOf: (row: T) => string;
}

/** Those of the shown rows are chosen whose keys are named; what is not shown stays as it is. */
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

/** The list was loaded again: what changed in a chosen row is followed. Nothing is chosen or let go by itself. */
export function follow<T>(held: Held<T>, { rows, list, keyOf }: Shown<T>): Held<T> {
  const changed = rows.filter((row) => {
    const old = held.get(keyOf(row));
    return old !== undefined && (old.row !== row || old.list !== list);
  });
  if (changed.length === 0) return held;
  return new Map([...held, ...changed.map((row) => [keyOf(row), { row, list }] as const)]);
}

/** The keys of what is chosen and does not match what the list is narrowed to now, or does no more. */
export function outside<T>(held: Held<T>, { rows, list, whole, keyOf }: Shown<T>): string[] {
  const shown = new Set(rows.map(keyOf));
  return [...held]
    .filter(([key, chosen]) => !shown.has(key) && (whole || chosen.list !== list))
    .map(([key]) => key);
}
