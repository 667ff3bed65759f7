/** Compare the two values of each field in an audit entry, for display. */
import type { AuditEntry } from "@/contract";

export interface Change {
  /** Field names from the record down: ["commercialAddress", "city"]. */
  path: string[];
  before: unknown;
  after: unknown;
  /** Only for lists of plain values: the values added and removed. */
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
  // A creation lists empty fields too; omit them.
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
