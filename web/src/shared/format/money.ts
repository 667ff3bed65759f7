/** Money in the minor units of its currency: how many decimals it has, and sums that lose none of them. */
import { MINOR_UNITS } from "@/contract";
import type { NumberRule } from "./typedNumber";

const MOST_MONEY = 9_999_999_999;
/** More than amounts have: only what many pieces come to is paid. */
const MORE_IN_PRICES = 4;

/** The decimals of an amount: 0 of yen, 2 of pesos, 3 of Kuwaiti dinars. */
export const minorUnits = (currency: string): number => MINOR_UNITS[currency] ?? 2;

export const priceDecimals = (currency: string): number => minorUnits(currency) + MORE_IN_PRICES;

/** What the price of one piece may be. */
export const priceRule = (currency: string): NumberRule => ({
  least: 0,
  most: MOST_MONEY,
  decimals: priceDecimals(currency),
});

/** What an amount that is paid may be. */
export const amountRule = (currency: string): NumberRule => ({
  least: 0,
  most: MOST_MONEY,
  decimals: minorUnits(currency),
});

/** A number of at most so many decimals in whole units, since 1.005 has no exact half in a float. */
export function inUnits(number: number, decimals: number): bigint {
  const text = Math.abs(number) < 1e-6 ? number.toFixed(decimals) : String(number);
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

export function fromUnits(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}

/** Drops the last decimals of a whole number that is not negative, rounding half up. */
export function withoutDecimals(units: bigint, decimals: number): bigint {
  const by = 10n ** BigInt(decimals);
  return (units + by / 2n) / by;
}

/** What pieces come to, in minor units, as the server rounds it. */
export function amountInUnits(quantity: number, price: number, currency: string): bigint {
  const units = BigInt(quantity) * inUnits(price, priceDecimals(currency));
  return withoutDecimals(units, MORE_IN_PRICES);
}

/** Of amounts in one currency. */
export function sumOf(amounts: readonly number[], currency: string): number {
  const decimals = minorUnits(currency);
  return fromUnits(
    amounts.reduce((sum, amount) => sum + inUnits(amount, decimals), 0n),
    decimals,
  );
}
