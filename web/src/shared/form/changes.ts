/** What a person changed in a form, compared by content: lists and rows too. */

/** The fields that differ from what the form began with. */
export function differences<V extends object, F extends keyof V>(
  before: V,
  now: V,
  fields: readonly F[],
): F[] {
  return fields.filter((field) => !isSame(before[field], now[field]));
}

/** The named fields alone: in a PUT, what is left out keeps its value. */
export function pick<B extends object>(body: B, fields: readonly string[]): Partial<B> {
  const kept = Object.entries(body).filter(([field]) => fields.includes(field));
  return Object.fromEntries(kept) as Partial<B>;
}

/** Absent, null and undefined mean the same to a form. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object")
    return (one ?? null) === (other ?? null);
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
