/** What was typed into a form and not saved: it outlives a reload, a lost connection and an expired session. */
const PREFIX = "draft:";

interface Draft<V> {
  userId: number;
  values: V;
}

/** `name` tells the forms apart: "order" for a new one, "order/3" and "order/3/line/2" for the drawers. */
export function keepDraft<V>(name: string, userId: number, values: V): void {
  const draft: Draft<V> = { userId, values };
  sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
}

/** Only the person who typed it gets it back. */
export function readDraft<V>(name: string, userId: number): V | null {
  const text = sessionStorage.getItem(PREFIX + name);
  if (text === null) return null;
  const draft = JSON.parse(text) as Draft<V>;
  return draft.userId === userId ? draft.values : null;
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(PREFIX + name);
}
