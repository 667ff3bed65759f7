/** Convert a bill to form values and back to a request body. */
import type { BillableLine, Delivery, DeliveryIn } from "@/contract";
import { amountRule } from "@/shared/format/money";
import type { Typed } from "@/shared/format/typedNumber";

export const NOTES_MOST = 200;
/** Maximum length of the CFDI folio and the tracking number. */
export const NUMBER_MOST = 60;

export const TAX = { least: 0, most: 100, decimals: 4 };
export const shippingRule = (currency: string) => ({ ...amountRule(currency), optional: true });

export interface LineValues {
  salesOrderId: number;
  position: number;
  quantity: Typed;
  price: Typed;
  /** A percentage. */
  taxAmount: Typed;
  /** Display only, like the fields that follow. */
  customerSalesOrderId: string;
  itemKey: string;
  itemName: string;
  /** Pieces left to bill when the line was ticked. */
  remaining: number;
  /** The product's price, in its own currency; null for the lines of a saved pre-bill. */
  listPrice: number | null;
  listCurrency: string;
}

export interface BillValues {
  customerId: number | null;
  /** Display only. */
  customerName: string;
  companyId: number | null;
  /** Display only. */
  companyName: string;
  date: string | null;
  invoiceNumber: string;
  guideNumber: string;
  shippingPrice: Typed;
  customRegime: string;
  currency: string;
  notes: string;
  lines: LineValues[];
}

/** The fields that the user edits. */
export const FIELDS = [
  "customerId",
  "companyId",
  "date",
  "currency",
  "invoiceNumber",
  "guideNumber",
  "shippingPrice",
  "customRegime",
  "notes",
  "lines",
] as const;
export type Field = (typeof FIELDS)[number];

export type BillBody = Omit<DeliveryIn, "preBill">;

type Place = Pick<LineValues, "salesOrderId" | "position">;

export const lineKey = ({ salesOrderId, position }: Place) => `${salesOrderId}-${position}`;

export function blankBill(today: string): BillValues {
  return {
    customerId: null,
    customerName: "",
    companyId: null,
    companyName: "",
    date: today,
    invoiceNumber: "",
    guideNumber: "",
    shippingPrice: null,
    customRegime: "",
    currency: "",
    notes: "",
    lines: [],
  };
}

export function valuesOf(bill: Delivery): BillValues {
  return {
    customerId: bill.customerId,
    customerName: bill.customerName,
    companyId: bill.companyId,
    companyName: bill.companyName,
    date: bill.date,
    invoiceNumber: bill.invoiceNumber,
    guideNumber: bill.guideNumber,
    shippingPrice: bill.shippingPrice === 0 ? null : bill.shippingPrice,
    customRegime: bill.customRegime,
    currency: bill.currency,
    notes: bill.notes,
    lines: bill.lines.map((line) => lineOf({ ...line, listPrice: null, listCurrency: "" })),
  };
}

/**
 * Return the values of a ticked line: all pieces left, the product's tax, and its price if it is in
 * the bill's currency.
 */
export function ticked(line: BillableLine, currency: string): LineValues {
  const listed = { listPrice: line.price, listCurrency: line.currency };
  return lineOf({
    ...line,
    ...listed,
    quantity: line.remaining,
    price: proposedPrice(listed, currency),
  });
}

/** The list price if it is in the bill's currency; else null. */
export function proposedPrice(
  { listPrice, listCurrency }: Pick<LineValues, "listPrice" | "listCurrency">,
  currency: string,
): number | null {
  return listCurrency === currency ? listPrice : null;
}

function lineOf(line: LineValues): LineValues {
  return {
    salesOrderId: line.salesOrderId,
    position: line.position,
    quantity: line.quantity,
    price: line.price,
    taxAmount: line.taxAmount,
    customerSalesOrderId: line.customerSalesOrderId,
    itemKey: line.itemKey,
    itemName: line.itemName,
    remaining: line.remaining,
    listPrice: line.listPrice,
    listCurrency: line.listCurrency,
  };
}

/** Build the request body. Expects values that passed the form's rules. */
export function billBody(values: BillValues): BillBody {
  return {
    customerId: values.customerId,
    companyId: values.companyId,
    date: values.date,
    invoiceNumber: values.invoiceNumber.trim(),
    guideNumber: values.guideNumber.trim(),
    shippingPrice: values.shippingPrice ?? 0,
    customRegime: values.customRegime,
    currency: values.currency,
    notes: values.notes.trim(),
    lines: values.lines.map(({ salesOrderId, position, quantity, price, taxAmount }) => ({
      salesOrderId,
      position,
      quantity,
      price,
      taxAmount,
    })),
  } as BillBody;
}
