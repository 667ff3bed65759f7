/** The lines of an order while somebody writes them: as typed, and what of them can be sent. Pure. */
import type { LineIn, OfferedProduct, SalesOrder, SalesOrderIn } from "@/contract";
import { problemOf, readTyped, taken } from "@/shared/format/typedNumber";
import type { PictureChange } from "@/shared/picture/pictures";
import { headerBody, headerOf, isDay, NOTES_MOST, PIECES, type HeaderValues } from "./values";

/** How many lines an order takes. Contract: `items` of an order. */
export const LINES_MOST = 5_000;
export const DATES = ["shipmentDate", "deliveryDate", "shippingDate"] as const;
export type DateField = (typeof DATES)[number];
/** A day as typed; empty where it is the order's. */
export type LineDates = Record<DateField, string>;

export interface GridLine extends LineDates {
  /** Tells the lines apart on screen. */
  id: number;
  /** Of a line that is saved already. */
  position?: number;
  /** Saved and closed: it stays as it is. */
  locked?: boolean;
  /** Saved and canceled: it makes nothing, so another line may have its product. */
  canceled?: boolean;
  item: OfferedProduct | null;
  /** What is typed where no product is chosen. */
  search: string;
  /** As typed. */
  quantity: string;
  notes: string;
  /** A file, which no draft can keep: it is sent once the line is saved. */
  picture: PictureChange;
  /** It has a product that another line has too, and that is meant. */
  kept?: boolean;
}

export type LineField = "item" | "quantity" | DateField | "notes";

/** Why a line cannot be sent; `twice`: another line has its product, and nobody has said that this is meant. */
export type LineProblem =
  | { field: "item"; why: "missing" | "notChosen" }
  | { field: "item"; why: "twice" }
  | { field: "quantity" | "notes"; why: "wrong" }
  | { field: DateField; why: "wrong" };

let last = 0;

/** A line with nothing in it, or with what is given. */
export function newLine(fields: Partial<GridLine> = {}): GridLine {
  last += 1;
  return {
    item: null,
    search: "",
    quantity: "",
    shipmentDate: "",
    deliveryDate: "",
    shippingDate: "",
    notes: "",
    picture: null,
    ...fields,
    id: last,
  };
}

export function isBlank(line: GridLine): boolean {
  return (
    line.position === undefined &&
    line.item === null &&
    line.search.trim() === "" &&
    line.quantity.trim() === "" &&
    line.notes === "" &&
    line.picture === null &&
    DATES.every((date) => line[date] === "")
  );
}

/** The same lines with one to write in at the end. */
export function withRoom(lines: readonly GridLine[]): GridLine[] {
  const end = lines.at(-1);
  return end !== undefined && isBlank(end) ? [...lines] : [...lines, newLine()];
}

/** What stands in the grid before the line to write in. */
export function written(lines: readonly GridLine[]): GridLine[] {
  return lines.filter((line) => !isBlank(line));
}

/** A line that has the product too. No pieces are added to one that is closed. */
interface Same {
  number: number;
  id: number;
  closed: boolean;
}

/** By the id of a line whose product an earlier line has: that one. */
export function twiceIn(lines: readonly GridLine[]): Map<number, Same> {
  const first = new Map<number, Same>();
  const found = new Map<number, Same>();
  lines.forEach(({ id, item, kept, canceled, locked }, index) => {
    if (item === null || canceled === true) return;
    const same = first.get(item.id);
    if (same === undefined) first.set(item.id, { number: index + 1, id, closed: locked === true });
    else if (kept !== true) found.set(id, same);
  });
  return found;
}

/** What keeps a line from being sent, in the order of its fields. */
export function problemsOf(line: GridLine, same?: Same): LineProblem[] {
  if (isBlank(line) || line.locked === true) return [];
  const problems: LineProblem[] = [];
  if (line.item === null) {
    problems.push({ field: "item", why: line.search.trim() === "" ? "missing" : "notChosen" });
  } else if (same !== undefined) problems.push({ field: "item", why: "twice" });
  if (problemOf(readTyped(line.quantity, PIECES), PIECES) !== null) {
    problems.push({ field: "quantity", why: "wrong" });
  }
  for (const field of DATES) {
    if (line[field] !== "" && !isDay(line[field])) problems.push({ field, why: "wrong" });
  }
  if (line.notes.trim().length > NOTES_MOST) problems.push({ field: "notes", why: "wrong" });
  return problems;
}

/** The first cell that cannot be sent; the first cell of all where nothing is written. Null where all can be. */
export function firstWrong(lines: readonly GridLine[]): { row: number; col: LineField } | null {
  if (lines.every(isBlank)) return { row: 0, col: "item" };
  const twice = twiceIn(lines);
  for (const [row, line] of lines.entries()) {
    const [problem] = problemsOf(line, twice.get(line.id));
    if (problem !== undefined) return { row, col: problem.field };
  }
  return null;
}

/** A line as it is sent, which has no problem; days that it does not say are the order's. */
export function gridLineBody(line: GridLine, dates: LineDates): LineIn {
  if (line.item === null) throw new Error("A line without a product is not sent.");
  return {
    itemId: line.item.id,
    quantity: taken(readTyped(line.quantity, PIECES)),
    shipmentDate: line.shipmentDate || dates.shipmentDate || null,
    deliveryDate: line.deliveryDate || dates.deliveryDate || null,
    shippingDate: line.shippingDate || dates.shippingDate || null,
    notes: line.notes.trim(),
  };
}

/** A new order as it is written. */
export interface OrderValues extends HeaderValues {
  /** What its lines have where they say nothing. */
  dates: Record<DateField, string | null>;
  items: GridLine[];
}

export function blankOrder(today: string): OrderValues {
  return {
    customerId: null,
    customerName: "",
    customerSalesOrderId: "",
    salesOrderDate: today,
    notes: "",
    dates: { shipmentDate: null, deliveryDate: null, shippingDate: null },
    items: [],
  };
}

/** A new order like another one: its customer, its products, their quantities and notes; no PO# and no days. */
export function copyOf(order: SalesOrder, today: string): OrderValues {
  return {
    ...blankOrder(today),
    ...headerOf(order),
    salesOrderDate: today,
    customerSalesOrderId: "",
    items: order.items
      .filter(({ status }) => status !== "Canceled")
      .map((line) => newLine({ ...productOf(line), kept: true })),
  };
}

/** A line as the grid writes it, without its days. */
export function productOf(line: SalesOrder["items"][number]): Partial<GridLine> {
  const { itemId, itemKey, itemName, quantity, notes, ownImage, thumbnail } = line;
  // A picture of the line's own is not its product's.
  const item = { id: itemId, key: itemKey, name: itemName, thumbnail: ownImage ? null : thumbnail };
  return { item, quantity: String(quantity), notes };
}

/** What of the lines a draft can keep. */
export function withoutPictures<V extends { items: readonly GridLine[] }>(values: V): V {
  return { ...values, items: values.items.map((line) => ({ ...line, picture: null })) };
}

/** What a draft kept, in lines of this screen. */
export function fromDraft<V extends { items: readonly GridLine[] }>(values: V): V {
  return { ...values, items: values.items.map((line) => newLine(line)) };
}

export function datesOf(dates: Partial<OrderValues["dates"]> | undefined): LineDates {
  const { shipmentDate, deliveryDate, shippingDate } = dates ?? {};
  return {
    shipmentDate: shipmentDate ?? "",
    deliveryDate: deliveryDate ?? "",
    shippingDate: shippingDate ?? "",
  };
}

export function orderBody({ items, dates, ...header }: OrderValues): SalesOrderIn {
  return {
    ...headerBody(header),
    items: items.map((line) => gridLineBody(line, datesOf(dates))),
  };
}
