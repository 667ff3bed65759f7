/** What the forms of orders and lines hold while somebody types, and what of it is sent. */
import type { Line, LineIn, SalesOrder, SalesOrderIn } from "@/contract";
import { taken, type Typed } from "@/shared/format/typedNumber";
import type { PictureChange } from "@/shared/picture/pictures";
import type { OrderHeader } from "../orders.writes";

export const NOTES_MOST = 200;
/** How many pieces a line may be of. */
export const PIECES = { least: 1, most: 10_000_000 };

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

export interface OrderValues extends HeaderValues {
  items: LineValues[];
}

export function blankOrder(today: string): OrderValues {
  return {
    customerId: null,
    customerName: "",
    customerSalesOrderId: "",
    salesOrderDate: today,
    notes: "",
    items: [],
  };
}

/** A new line takes the dates of the one before it: the lines of an order mostly travel together. */
export function nextLine(item: { id: number; name: string }, before?: LineValues): LineValues {
  return {
    itemId: item.id,
    itemName: item.name,
    quantity: 1,
    shipmentDate: before?.shipmentDate ?? null,
    deliveryDate: before?.deliveryDate ?? null,
    shippingDate: before?.shippingDate ?? null,
    notes: "",
    picture: null,
  };
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

/** What of a new order a draft can keep. */
export function withoutPictures(values: OrderValues): OrderValues {
  return { ...values, items: values.items.map((line) => ({ ...line, picture: null })) };
}

export function orderBody({ items, ...header }: OrderValues): SalesOrderIn {
  return { ...headerBody(header), items: items.map(lineBody) };
}
