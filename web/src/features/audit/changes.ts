/** What an entry of the audit says, as rows a person can read: a field, what stood there, what stands there now. */
import type { AuditEntry } from "@/contract";

export interface Change {
  /** Names from the record down: ["commercialAddress", "city"]. */
  path: string[];
  before: unknown;
  after: unknown;
  /** For lists of plain values: what came and what went; the rest stayed. */
  added?: unknown[];
  removed?: unknown[];
}

type Fields = Record<string, unknown>;

export function changesOf(changes: AuditEntry["changes"]): Change[] {
  return Object.entries(changes).flatMap(([field, { before, after }]) =>
    compare([field], before, after),
  );
}

function compare(path: string[], before: unknown, after: unknown): Change[] {
  // What was nothing and is nothing still says nothing, in a creation for one.
  if (isNothing(before) && isNothing(after)) return [];
  if (isFields(before) || isFields(after)) {
    const [old, now] = [asFields(before), asFields(after)];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return names
      .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
      .flatMap((name) => compare([...path, name], old[name], now[name]));
  }
  if (isPlainList(before) && isPlainList(after)) {
    return [
      {
        path,
        before,
        after,
        added: after.filter((each) => !before.includes(each)),
        removed: before.filter((each) => !after.includes(each)),
      },
    ];
  }
  return [{ path, before, after }];
}

export function isNothing(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && !value.some(isFields);
}
