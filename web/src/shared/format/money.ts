/** Count money in the minor units of its currency: its decimals, and exact sums. */
import { MINOR_UNITS } from "@/contract";
import type { NumberRule } from "./typedNumber";

const MOST_MONEY = 9_999_999_999;
/** How many more decimals prices have than amounts, because only the total of many pieces is paid. */
const MORE_IN_PRICES = 4;

/** The decimals of an amount: 0 of yen, 2 of pesos, 3 of Kuwaiti dinars. */
export const minorUnits = (currency: string): number => MINOR_UNITS[currency] ?? 2;

export const priceDecimals = (currency: string): number => minorUnits(currency) + MORE_IN_PRICES;

/** The valid prices of one piece. */
export const priceRule = (currency: string): NumberRule => ({
  least: 0,
  most: MOST_MONEY,
  decimals: priceDecimals(currency),
});

/** The valid amounts of a payment. */
export const amountRule = (currency: string): NumberRule => ({
  least: 0,
  most: MOST_MONEY,
  decimals: minorUnits(currency),
});

/** Convert a number with at most `decimals` decimals to whole units by its digits: a float like 1.005 is not exact. */
export function inUnits(number: number, decimals: number): bigint {
  const text = Math.abs(number) < 1e-6 ? number.toFixed(decimals) : String(number);
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

export function fromUnits(units: bigint, decimals: number): number {
  return Number(units) / 10 ** decimals;
}

/** Drop the last `decimals` digits of a non-negative integer, rounding half up. */
export function withoutDecimals(units: bigint, decimals: number): bigint {
  const by = 10n ** BigInt(decimals);
  return (units + by / 2n) / by;
}

/**
 * The amount for a quantity, in minor units, rounded as the server does. `quantity`: whole pieces, or milligrams at a
 * price per gram. `decimals`: the decimals of the priced unit in `quantity`: 0 for pieces, 3 for milligrams.
 */
export function amountInUnits(
  quantity: number,
  price: number,
  currency: string,
  decimals = 0,
): bigint {
  const units = BigInt(quantity) * inUnits(price, priceDecimals(currency));
  return withoutDecimals(units, MORE_IN_PRICES + decimals);
}

/** Add amounts of one currency exactly. */
export function sumOf(amounts: readonly number[], currency: string): number {
  const decimals = minorUnits(currency);
  return fromUnits(
    amounts.reduce((sum, amount) => sum + inUnits(amount, decimals), 0n),
    decimals,
  );
}
