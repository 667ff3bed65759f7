/** What a bill comes to, as the server counts it: each line's amount and tax rounded half up to cents. Contract, section 5. */
import { countable, type NumberRule, type Typed } from "@/shared/format/typedNumber";
import { PIECES, PRICE, SHIPPING, TAX } from "./values";

/** Prices and percentages hold four decimals: whole numbers of these, so that nothing is lost in between. */
const FINE = 10_000;
const CENTS = 100;

export interface Counted {
  quantity: Typed;
  price: Typed;
  /** A percentage: 16 means 16 %. */
  taxAmount: Typed;
}

/** Null is what nobody knows while something in it cannot be taken. */
export interface Totals {
  subtotal: number | null;
  tax: number | null;
  shipping: number | null;
  total: number | null;
}

export function amountOf(line: Counted): number | null {
  return inMoney(amountInCents(line));
}

export function totalsOf(lines: readonly Counted[], shippingPrice: Typed): Totals {
  const subtotal = sum(lines.map(amountInCents));
  const tax = sum(lines.map(taxInCents));
  const shipping = whole(shippingPrice, SHIPPING, CENTS);
  return {
    subtotal: inMoney(subtotal),
    tax: inMoney(tax),
    shipping: inMoney(shipping),
    total: inMoney(sum([subtotal, tax, shipping])),
  };
}

const inMoney = (cents: bigint | null) => (cents === null ? null : Number(cents) / CENTS);

function amountInCents(line: Counted): bigint | null {
  const quantity = whole(line.quantity, PIECES, 1);
  const price = whole(line.price, PRICE, FINE);
  return quantity === null || price === null ? null : halfUp(quantity * price, FINE / CENTS);
}

function taxInCents(line: Counted): bigint | null {
  const amount = amountInCents(line);
  const rate = whole(line.taxAmount, TAX, FINE);
  return amount === null || rate === null ? null : halfUp(amount * rate, FINE * 100);
}

function whole(value: Typed, rule: NumberRule, units: number): bigint | null {
  const number = countable(value, rule);
  return number === null ? null : BigInt(Math.round(number * units));
}

function halfUp(value: bigint, divisor: number): bigint {
  const by = BigInt(divisor);
  return (value + by / 2n) / by;
}

function sum(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce<bigint | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    0n,
  );
}
