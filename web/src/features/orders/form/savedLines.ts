/** The saved lines of an order in the grid: what somebody changed of them, and what others changed meanwhile. Pure. */
import type { OrderLineChange, SalesOrder } from "@/contract";
import {
  DATES,
  gridLineBody,
  isBlank,
  newLine,
  productOf,
  type GridLine,
  type LineField,
} from "./lines";

const FIELDS: readonly LineField[] = ["item", "quantity", ...DATES, "notes"];
const NO_DATES = { shipmentDate: "", deliveryDate: "", shippingDate: "" };

/** All lines of an order, canceled ones too: a line's number in the grid is its position. */
export function savedLines(order: SalesOrder): GridLine[] {
  return order.items.map((line) =>
    newLine({
      ...productOf(line),
      position: line.position,
      shipmentDate: line.shipmentDate ?? "",
      deliveryDate: line.deliveryDate ?? "",
      shippingDate: line.shippingDate ?? "",
      kept: true,
      locked: !line.actions.edit,
      canceled: line.status === "Canceled",
    }),
  );
}

const valueOf = (line: GridLine, field: LineField): string =>
  field === "item" ? String(line.item?.id ?? "") : line[field].trim();

/** How a field is read. */
const textOf = (line: GridLine, field: LineField): string =>
  field === "item" ? (line.item?.name ?? "") : line[field];

function byPosition(lines: readonly GridLine[]): Map<number | undefined, GridLine> {
  return new Map(lines.map((line) => [line.position, line]));
}

function changedOf(line: GridLine, before: GridLine | undefined): LineField[] {
  if (before === undefined || line.locked === true) return [];
  return FIELDS.filter((field) => valueOf(line, field) !== valueOf(before, field));
}

/** The lines to send, none of which has a problem: new ones whole, and of saved ones what differs from `before`. */
export function lineChanges(
  lines: readonly GridLine[],
  before: readonly GridLine[],
): OrderLineChange[] {
  const was = byPosition(before);
  return lines.flatMap((line): OrderLineChange[] => {
    if (isBlank(line)) return [];
    const { position } = line;
    if (position === undefined) return [gridLineBody(line, NO_DATES)];
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

/** Where others changed what is changed here too. */
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

/** The lines as the order has them now, with what was changed here; lines that others added stand before the new ones. */
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
