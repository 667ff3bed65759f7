/**
 * Compare the saved lines of an order with the grid and with what others changed. Pure functions.
 */
import type { OrderLineChange, SalesOrder } from "@/contract";
import {
  NO_DATES,
  datesOf,
  gridLineBody,
  isBlank,
  newLine,
  productOf,
  type GridLine,
  type LineField,
} from "./lines";
import { OTHERS } from "./values";

const FIELDS: readonly LineField[] = ["item", "quantity", ...OTHERS];

/**
 * Return all lines of an order, even canceled ones, so that a line's number in the grid is its
 * position.
 */
export function savedLines(order: SalesOrder): GridLine[] {
  return order.items.map((line) =>
    newLine({
      ...productOf(line),
      position: line.position,
      ...datesOf(line),
      kept: true,
      locked: !line.actions.edit,
      canceled: line.status === "Canceled",
    }),
  );
}

const valueOf = (line: GridLine, field: LineField): string =>
  field === "item" ? String(line.item?.id ?? "") : line[field].trim();

/** A field as shown to the user. */
const textOf = (line: GridLine, field: LineField): string =>
  field === "item" ? (line.item?.name ?? "") : line[field];

function byPosition(lines: readonly GridLine[]): Map<number | undefined, GridLine> {
  return new Map(lines.map((line) => [line.position, line]));
}

function changedOf(line: GridLine, before: GridLine | undefined): LineField[] {
  if (before === undefined || line.locked === true) return [];
  return FIELDS.filter((field) => valueOf(line, field) !== valueOf(before, field));
}

/**
 * Return the lines to send: new ones whole, saved ones with the fields that differ from `before`.
 * The lines must have no problems. `offered`: the days that were offered for new ones, by product.
 */
export function lineChanges(
  lines: readonly GridLine[],
  before: readonly GridLine[],
  offered?: ReadonlyMap<number, string | null>,
): OrderLineChange[] {
  const was = byPosition(before);
  return lines.flatMap((line): OrderLineChange[] => {
    if (isBlank(line)) return [];
    const { position } = line;
    if (position === undefined) return [gridLineBody(line, NO_DATES, offered)];
    const fields = new Set<string>(changedOf(line, was.get(position)));
    if (fields.size === 0) return [];
    const body = Object.entries(gridLineBody(line, NO_DATES));
    const sent = body.filter(([name]) => fields.has(name === "itemId" ? "item" : name));
    return [{ position, ...Object.fromEntries(sent) }];
  });
}

export interface Conflict {
  position: number;
  field: LineField;
  before: string;
  now: string;
}

/** Return the fields that were changed here and, to another value, by others. */
export function conflictsOf(
  lines: readonly GridLine[],
  before: readonly GridLine[],
  now: readonly GridLine[],
): Conflict[] {
  const [was, is] = [byPosition(before), byPosition(now)];
  return lines.flatMap((line) => {
    const [old, current] = [was.get(line.position), is.get(line.position)];
    if (line.position === undefined || old === undefined || current === undefined) return [];
    return changedOf(line, old)
      .filter((field) => valueOf(current, field) !== valueOf(old, field))
      .filter((field) => valueOf(current, field) !== valueOf(line, field))
      .map((field) => ({
        position: line.position!,
        field,
        before: textOf(old, field),
        now: textOf(current, field),
      }));
  });
}

/**
 * Return the order's newest lines with the changes made here. Lines that others added come before
 * the new ones.
 */
export function onTopOf(
  lines: readonly GridLine[],
  before: readonly GridLine[],
  now: readonly GridLine[],
): GridLine[] {
  const [was, mine] = [byPosition(before), byPosition(lines)];
  const saved = now.map((current) => {
    const line = mine.get(current.position);
    if (line === undefined) return current;
    const own = changedOf(line, was.get(current.position));
    const typed = Object.fromEntries(own.map((field) => [field, line[field]]));
    return { ...current, ...typed, search: line.search, id: line.id };
  });
  return [...saved, ...lines.filter(({ position }) => position === undefined)];
}
