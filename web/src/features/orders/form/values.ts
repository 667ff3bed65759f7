/** Convert orders and lines to form values and back to request bodies. */
import { LINE_FIELDS, type Line, type LineIn, type SalesOrder } from "@/contract";
import { taken, type Typed } from "@/shared/format/typedNumber";
import type { PictureChange } from "@/shared/picture/pictures";
import { keysOf } from "@/shared/keysOf";
import type { OrderHeader } from "../orders.writes";

export const DATES = LINE_FIELDS.days;
export type DateField = (typeof DATES)[number];
/** The texts of a line that the user types, each with its most characters. */
export const TEXT_MOST = LINE_FIELDS.texts;
export type TextField = keyof typeof TEXT_MOST;
/** The most characters of notes of orders, lines and movements. */
export const NOTES_MOST = TEXT_MOST.notes;
export const TEXTS = keysOf(TEXT_MOST);
/**
 * The fields of a line other than product, quantity and picture. Each form, comparison and request
 * uses this list.
 */
export const OTHERS = [...DATES, ...TEXTS] as const;
export type OtherField = (typeof OTHERS)[number];

/**
 * The locale key for the name of a line's field. A line's notes have another name than the order's.
 */
export function fieldWord<F extends string>(field: F) {
  return field === "notes" ? "field.lineNotes" : (`field.${field as Exclude<F, "notes">}` as const);
}

/** Give each field its value. */
export function each<F extends string, V>(
  fields: readonly F[],
  value: (field: F) => V,
): Record<F, V> {
  return Object.fromEntries(fields.map((field) => [field, value(field)])) as Record<F, V>;
}

export interface LineValues extends Record<DateField, string | null>, Record<TextField, string> {
  itemId: number | null;
  /** Display only. */
  itemName: string;
  quantity: Typed;
  /** A draft cannot keep a file. It is sent after the line was saved. */
  picture: PictureChange;
}

export interface HeaderValues {
  customerId: number | null;
  /** Display only. */
  customerName: string;
  customerSalesOrderId: string;
  salesOrderDate: string | null;
  notes: string;
}

export function headerOf(order: SalesOrder): HeaderValues {
  const { customerId, customerName, customerSalesOrderId, salesOrderDate, notes } = order;
  return { customerId, customerName, customerSalesOrderId, salesOrderDate, notes };
}

export function valuesOf(line: Line): LineValues {
  const { itemId, itemName, quantity } = line;
  const dates = each(DATES, (field) => line[field]);
  return {
    itemId,
    itemName,
    quantity,
    ...dates,
    ...each(TEXTS, (field) => line[field]),
    picture: null,
  };
}

/** Build the request body. Expects values that passed the form's rules. */
export function lineBody(values: LineValues): LineIn {
  const { itemId, quantity } = values;
  const dates = each(DATES, (field) => values[field]);
  const texts = each(TEXTS, (field) => values[field].trim());
  return { itemId, quantity: taken(quantity), ...dates, ...texts } as LineIn;
}

export function headerBody(values: HeaderValues): OrderHeader {
  const { customerId, salesOrderDate } = values;
  const customerSalesOrderId = values.customerSalesOrderId.trim();
  return {
    customerId,
    customerSalesOrderId,
    salesOrderDate,
    notes: values.notes.trim(),
  } as OrderHeader;
}
