/** Find the changes in a form. Lists and rows are compared by content. */

/** The fields with different values before and now. */
export function differences<V extends object, F extends keyof V>(
  before: V,
  now: V,
  fields: readonly F[],
): F[] {
  return fields.filter((field) => !isSame(before[field], now[field]));
}

/** Keep only the named fields: a PUT leaves the others unchanged. */
export function pick<B extends object>(body: B, fields: readonly string[]): Partial<B> {
  const kept = Object.entries(body).filter(([field]) => fields.includes(field));
  return Object.fromEntries(kept) as Partial<B>;
}

/** Compare by content; absent, null and undefined are equal. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object")
    return (one ?? null) === (other ?? null);
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
