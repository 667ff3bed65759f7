/**
 * Compute the totals of a bill as the server does: amounts and taxes are rounded half up to the
 * currency's decimals.
 */
import {
  amountInUnits,
  fromUnits,
  inUnits,
  minorUnits,
  priceRule,
  withoutDecimals,
} from "@/shared/format/money";
import { PIECES, countable, type Typed } from "@/shared/format/typedNumber";
import { shippingRule, TAX } from "./values";

export interface Counted {
  quantity: Typed;
  price: Typed;
  /** A percentage: 16 means 16 %. */
  taxAmount: Typed;
}

/** A figure is null while one of its parts is missing or invalid. */
export interface Totals {
  subtotal: number | null;
  tax: number | null;
  shipping: number | null;
  total: number | null;
}

export function amountOf(line: Counted, currency: string): number | null {
  return inMoney(amountUnits(line, currency), currency);
}

export function totalsOf(
  lines: readonly Counted[],
  shippingPrice: Typed,
  currency: string,
): Totals {
  const subtotal = sum(lines.map((line) => amountUnits(line, currency)));
  const tax = sum(lines.map((line) => taxUnits(line, currency)));
  const typed = countable(shippingPrice, shippingRule(currency));
  const shipping = typed === null ? null : inUnits(typed, minorUnits(currency));
  return {
    subtotal: inMoney(subtotal, currency),
    tax: inMoney(tax, currency),
    shipping: inMoney(shipping, currency),
    total: inMoney(sum([subtotal, tax, shipping]), currency),
  };
}

const inMoney = (units: bigint | null, currency: string) =>
  units === null ? null : fromUnits(units, minorUnits(currency));

function amountUnits(line: Counted, currency: string): bigint | null {
  const quantity = countable(line.quantity, PIECES);
  const price = countable(line.price, priceRule(currency));
  return quantity === null || price === null ? null : amountInUnits(quantity, price, currency);
}

function taxUnits(line: Counted, currency: string): bigint | null {
  const amount = amountUnits(line, currency);
  const rate = countable(line.taxAmount, TAX);
  if (amount === null || rate === null) return null;
  return withoutDecimals(amount * inUnits(rate, TAX.decimals), TAX.decimals + 2);
}

function sum(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce<bigint | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    0n,
  );
}
