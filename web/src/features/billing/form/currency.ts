/**
 * Change the currency of a bill's amounts. No number moves to another currency unless the user asks
 * for it.
 */
import { minorUnits } from "@/shared/format/money";
import { plantCurrency } from "@/shared/format/plant";
import { proposedPrice, type BillValues, type Field, type LineValues } from "./values";

type Amounts = Pick<BillValues, "lines" | "shippingPrice">;

/** The amounts and their currency, which are always sent together. */
const MONEY: readonly Field[] = ["currency", "lines", "shippingPrice"];

/** Whether the user did not type the price: it is empty or the list price. */
function isProposed(line: LineValues, currency: string): boolean {
  return line.price === null || line.price === proposedPrice(line, currency);
}

/** Count the amounts that the user typed in `currency`. */
export function typedAmounts({ lines, shippingPrice }: Amounts, currency: string): number {
  const prices = lines.filter((line) => !isProposed(line, currency)).length;
  return prices + (shippingPrice ? 1 : 0);
}

/** Return the amounts for currency `to`: list prices are proposed again, typed numbers stay. */
export function inCurrency({ lines, shippingPrice }: Amounts, from: string, to: string): Amounts {
  return {
    lines: lines.map((line) =>
      isProposed(line, from) ? { ...line, price: proposedPrice(line, to) } : line,
    ),
    shippingPrice,
  };
}

/**
 * Return the amounts for currency `to`: list prices are proposed again, amounts typed in `from` are
 * emptied.
 */
export function emptied({ lines }: Amounts, from: string, to: string): Amounts {
  return {
    lines: lines.map((line) => ({
      ...line,
      price: isProposed(line, from) ? proposedPrice(line, to) : null,
    })),
    shippingPrice: null,
  };
}

/** Add all money fields if one of them changed, because the amounts are in the bill's currency. */
export function withMoney(fields: readonly Field[]): Field[] {
  const touched = fields.some((field) => MONEY.includes(field));
  return touched ? [...new Set([...fields, ...MONEY])] : [...fields];
}

/** A rate as people say it: one unit of currency `one` costs so many units of currency `many`. */
export interface RateOf {
  one: string;
  many: string;
}

/**
 * Choose how to say a rate. If the plant's currency is one of the two, the rate is in it: "1 USD =
 * 18.40 MXN".
 */
export function rateOf(from: string, to: string): RateOf {
  return to === plantCurrency() ? { one: from, many: to } : { one: to, many: from };
}

/** Convert a price in `from` at a rate of `rateOf(from, to)`, to the decimals of `to`. */
export function converted(price: number, from: string, to: string, rate: number): number {
  const exact = rateOf(from, to).one === from ? price * rate : price / rate;
  const by = 10 ** minorUnits(to);
  return Math.round(exact * by) / by;
}
