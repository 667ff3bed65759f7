/** What a bill comes to, as the server counts it: each line's amount and tax rounded half up to cents. Contract, section 5. */
import { orNothing, type Typed } from "@/shared/format/typedNumber";

/** Prices and percentages hold four decimals: whole numbers of these, so that nothing is lost in between. */
const FINE = 10_000;
const CENTS = 100;

export interface Counted {
  quantity: Typed;
  price: Typed;
  /** A percentage: 16 means 16 %. */
  taxAmount: Typed;
}

export interface Totals {
  subtotal: number;
  tax: number;
  shipping: number;
  total: number;
}

export function amountOf(line: Counted): number {
  return Number(amountInCents(line)) / CENTS;
}

export function totalsOf(lines: readonly Counted[], shippingPrice: Typed): Totals {
  const subtotal = sum(lines.map(amountInCents));
  const tax = sum(lines.map(taxInCents));
  const shipping = whole(shippingPrice, CENTS);
  const inMoney = (cents: bigint) => Number(cents) / CENTS;
  return {
    subtotal: inMoney(subtotal),
    tax: inMoney(tax),
    shipping: inMoney(shipping),
    total: inMoney(subtotal + tax + shipping),
  };
}

function amountInCents({ quantity, price }: Counted): bigint {
  return halfUp(whole(quantity, 1) * whole(price, FINE), FINE / CENTS);
}

function taxInCents(line: Counted): bigint {
  return halfUp(amountInCents(line) * whole(line.taxAmount, FINE), FINE * 100);
}

/** What is not typed yet counts as nothing. */
function whole(value: Typed, units: number): bigint {
  return BigInt(Math.round(orNothing(value) * units));
}

function halfUp(value: bigint, divisor: number): bigint {
  const by = BigInt(divisor);
  return (value + by / 2n) / by;
}

function sum(values: bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
