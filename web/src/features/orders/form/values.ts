/** What the forms of orders and lines hold while somebody types, and what of it is sent. */
import type { Line, LineIn, SalesOrder } from "@/contract";
import { taken, type Typed } from "@/shared/format/typedNumber";
import type { PictureChange } from "@/shared/picture/pictures";
import type { OrderHeader } from "../orders.writes";

export const NOTES_MOST = 200;
/** How many pieces a line may be of. */
export const PIECES = { least: 1, most: 10_000_000 };

/** `YYYY-MM-DD`, a day that there is. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

export interface LineValues {
  itemId: number | null;
  /** For the eye only. */
  itemName: string;
  quantity: Typed;
  shipmentDate: string | null;
  deliveryDate: string | null;
  shippingDate: string | null;
  notes: string;
  /** A file, which no draft can keep: it is sent once the line is saved. */
  picture: PictureChange;
}

export interface HeaderValues {
  customerId: number | null;
  /** For the eye only. */
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
  const { itemId, itemName, quantity, shipmentDate, deliveryDate, shippingDate, notes } = line;
  const fields = { itemId, itemName, quantity, shipmentDate, deliveryDate, shippingDate, notes };
  return { ...fields, picture: null };
}

/** The form's own rules have seen to it that nothing required is missing. */
export function lineBody(values: LineValues): LineIn {
  const { itemId, quantity, shipmentDate, deliveryDate, shippingDate, notes } = values;
  const dates = { shipmentDate, deliveryDate, shippingDate };
  return { itemId, quantity: taken(quantity), ...dates, notes: notes.trim() } as LineIn;
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
