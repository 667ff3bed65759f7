/** A new order as far as it was typed: it outlives a reload, a lost connection and an expired session. */
import type { OrderValues } from "./values";

const KEY = "orderDraft";

interface Draft {
  userId: number;
  values: OrderValues;
}

export function keepDraft(userId: number, values: OrderValues): void {
  sessionStorage.setItem(KEY, JSON.stringify({ userId, values } satisfies Draft));
}

/** Only the person who typed it gets it back. */
export function readDraft(userId: number): OrderValues | null {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  const draft = JSON.parse(text) as Draft;
  return draft.userId === userId ? draft.values : null;
}

export function dropDraft(): void {
  sessionStorage.removeItem(KEY);
}
