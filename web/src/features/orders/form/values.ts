/** Convert orders and lines to form values and back to request bodies. */
import type { Line, LineIn, SalesOrder } from "@/contract";
import { taken, type Typed } from "@/shared/format/typedNumber";
import type { PictureChange } from "@/shared/picture/pictures";
import type { OrderHeader } from "../orders.writes";

export const NOTES_MOST = 200;

/** Whether the text is an existing day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

export interface LineValues {
  itemId: number | null;
  /** Display only. */
  itemName: string;
  quantity: Typed;
  shipmentDate: string | null;
  deliveryDate: string | null;
  shippingDate: string | null;
  notes: string;
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
  const { itemId, itemName, quantity, shipmentDate, deliveryDate, shippingDate, notes } = line;
  const fields = { itemId, itemName, quantity, shipmentDate, deliveryDate, shippingDate, notes };
  return { ...fields, picture: null };
}

/** Build the request body. Expects values that passed the form's rules. */
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
