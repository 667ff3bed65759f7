/** What a new currency does to the amounts of a bill: none ever becomes the same number of another currency unasked. */
import { proposedPrice, type BillValues, type Field, type LineValues } from "./values";

type Amounts = Pick<BillValues, "lines" | "shippingPrice">;

/** Fields that are amounts, and the one that says of what: they change hands together. */
const MONEY: readonly Field[] = ["currency", "lines", "shippingPrice"];

/** Nobody typed this price: it is empty, or the product's own. */
function isProposed(line: LineValues, currency: string): boolean {
  return line.price === null || line.price === proposedPrice(line, currency);
}

/** How many amounts a person typed in `currency`. */
export function typedAmounts({ lines, shippingPrice }: Amounts, currency: string): number {
  const prices = lines.filter((line) => !isProposed(line, currency)).length;
  return prices + (shippingPrice ? 1 : 0);
}

/** The amounts once the bill is in `to`: prices are proposed anew, what was typed stays as it is typed. */
export function inCurrency({ lines, shippingPrice }: Amounts, from: string, to: string): Amounts {
  return {
    lines: lines.map((line) =>
      isProposed(line, from) ? { ...line, price: proposedPrice(line, to) } : line,
    ),
    shippingPrice,
  };
}

/** The amounts once the bill is in `to`: prices are proposed anew, what was typed in `from` is empty. */
export function emptied({ lines }: Amounts, from: string, to: string): Amounts {
  return {
    lines: lines.map((line) => ({
      ...line,
      price: isProposed(line, from) ? proposedPrice(line, to) : null,
    })),
    shippingPrice: null,
  };
}

/** Whoever changes one amount or the currency means all of them in that currency. */
export function withMoney(fields: readonly Field[]): Field[] {
  const touched = fields.some((field) => MONEY.includes(field));
  return touched ? [...new Set([...fields, ...MONEY])] : [...fields];
}
