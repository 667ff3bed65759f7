/** The lines of an order in the grid, as typed and as sent. Pure functions. */
import type { LineIn, OfferedProduct, SalesOrder, SalesOrderIn } from "@/contract";
import { isDay } from "@/shared/format/typedDay";
import { PIECES, problemOf, readTyped, taken } from "@/shared/format/typedNumber";
import type { PictureChange } from "@/shared/picture/pictures";
import type { Again } from "../paths";
import {
  DATES,
  each,
  headerBody,
  headerOf,
  OTHERS,
  TEXTS,
  TEXT_MOST,
  type DateField,
  type HeaderValues,
  type OtherField,
} from "./values";

/** The most lines in an order: `items` in the API. */
export const LINES_MOST = 5_000;
/** A date as typed; empty if the order's date applies. */
export type LineDates = Record<DateField, string>;

/** A line in the grid. Its dates, texts and quantity are as typed. */
export interface GridLine extends Record<OtherField, string> {
  /** Identifies the line on screen. */
  id: number;
  /** The position of a saved line. Absent for a new one. */
  position?: number;
  /** The line is saved and closed, so it cannot be edited. */
  locked?: boolean;
  /** The line is saved and canceled, so another line may have its product. */
  canceled?: boolean;
  item: OfferedProduct | null;
  /** What is typed while no product is chosen. */
  search: string;
  /** As typed. */
  quantity: string;
  /** A draft cannot keep a file. It is sent after the line was saved. */
  picture: PictureChange;
  /** The user confirmed a product that another line has too. */
  kept?: boolean;
}

export type LineField = "item" | "quantity" | OtherField;

/**
 * Why a line cannot be sent. `twice`: another line has the product, and the user has not confirmed
 * it.
 */
export type LineProblem =
  | { field: "item"; why: "missing" | "notChosen" }
  | { field: "item"; why: "twice" }
  | { field: "quantity" | OtherField; why: "wrong" };

let last = 0;

export function newLine(fields: Partial<GridLine> = {}): GridLine {
  last += 1;
  return {
    item: null,
    search: "",
    quantity: "",
    ...each(OTHERS, () => ""),
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
    line.picture === null &&
    OTHERS.every((field) => line[field] === "")
  );
}

/** Return the lines with one blank line at the end. */
export function withRoom(lines: readonly GridLine[]): GridLine[] {
  const end = lines.at(-1);
  return end !== undefined && isBlank(end) ? [...lines] : [...lines, newLine()];
}

/** Return the lines that are not blank. */
export function written(lines: readonly GridLine[]): GridLine[] {
  return lines.filter((line) => !isBlank(line));
}

/** A line with the same product. Pieces cannot be added to a closed one. */
interface Same {
  number: number;
  id: number;
  closed: boolean;
}

/**
 * Map the id of a line with a repeated product to the first line with it. Confirmed and canceled
 * lines are left out.
 */
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

/** Return why a line cannot be sent, in the order of its fields. */
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
  for (const field of TEXTS) {
    if (line[field].trim().length > TEXT_MOST[field]) problems.push({ field, why: "wrong" });
  }
  return problems;
}

/**
 * Return the first cell that cannot be sent. If every line is blank, return the first cell of all;
 * if all lines can be sent, null.
 */
export function firstWrong(lines: readonly GridLine[]): { row: number; col: LineField } | null {
  if (lines.every(isBlank)) return { row: 0, col: "item" };
  const twice = twiceIn(lines);
  for (const [row, line] of lines.entries()) {
    const [problem] = problemsOf(line, twice.get(line.id));
    if (problem !== undefined) return { row, col: problem.field };
  }
  return null;
}

/** No day is offered. */
const NONE: ReadonlyMap<number, string | null> = new Map();

/**
 * Build the request body of a line without problems. The order's dates replace empty ones.
 * `offered`: the day that was offered for each product, which is kept beside the chosen one.
 */
export function gridLineBody(
  line: GridLine,
  dates: LineDates,
  offered: ReadonlyMap<number, string | null> = NONE,
): LineIn {
  if (line.item === null) throw new Error("A line without a product is not sent.");
  const offeredDate = offered.get(line.item.id);
  return {
    ...(typeof offeredDate === "string" ? { offeredDate } : {}),
    itemId: line.item.id,
    quantity: taken(readTyped(line.quantity, PIECES)),
    ...each(DATES, (date) => line[date] || dates[date] || null),
    ...each(TEXTS, (field) => line[field].trim()),
  };
}

/** Form values of a new order. */
export interface OrderValues extends HeaderValues {
  /** Dates of the lines without their own. */
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
    dates: each(DATES, () => null),
    items: [],
  };
}

/**
 * Copy an order with its customer, notes and lines, but without PO# and dates. Canceled lines are
 * left out. `again`: copy only this line, canceled or not, with the pieces that its customer asked for.
 */
export function copyOf(order: SalesOrder, today: string, again: Again | null = null): OrderValues {
  const pieces = again?.quantity ?? null;
  const asked = pieces === null ? {} : { quantity: String(pieces) };
  return {
    ...blankOrder(today),
    ...headerOf(order),
    salesOrderDate: today,
    customerSalesOrderId: "",
    items: order.items
      .filter(({ position, status }) =>
        again === null ? status !== "Canceled" : position === again.position,
      )
      .map((line) => newLine({ ...productOf(line), ...asked, kept: true })),
  };
}

/** Convert a saved line to grid values, without its dates. */
export function productOf(line: SalesOrder["items"][number]): Partial<GridLine> {
  const { itemId, itemKey, itemName, quantity, ownImage, thumbnail } = line;
  // The line's own picture is not the picture of its product.
  const item = {
    id: itemId,
    key: itemKey,
    name: itemName,
    nameEnglish: "",
    thumbnail: ownImage ? null : thumbnail,
  };
  return { item, quantity: String(quantity), ...each(TEXTS, (field) => line[field]) };
}

/** Remove the pictures, which a draft cannot keep. */
export function withoutPictures<V extends { items: readonly GridLine[] }>(values: V): V {
  return { ...values, items: values.items.map((line) => ({ ...line, picture: null })) };
}

/** Restore the lines of a draft, with new ids. */
export function fromDraft<V extends { items: readonly GridLine[] }>(values: V): V {
  return { ...values, items: values.items.map((line) => newLine(line)) };
}

/** No date is typed. */
export const NO_DATES: LineDates = each(DATES, () => "");

export function datesOf(dates: Partial<OrderValues["dates"]> | undefined): LineDates {
  return each(DATES, (date) => dates?.[date] ?? "");
}

export function orderBody(
  { items, dates, ...header }: OrderValues,
  offered?: ReadonlyMap<number, string | null>,
): SalesOrderIn {
  return {
    ...headerBody(header),
    items: items.map((line) => gridLineBody(line, datesOf(dates), offered)),
  };
}
