/** What a clerk has ticked to pay, and what it comes to. Pure. */
import type { Payable } from "@/contract";
import { orNothing, type Typed } from "@/shared/format/typedNumber";

/** The ticked records as they were last seen in the list, by their ids. */
export type Basket = ReadonlyMap<number, Payable>;

export const EMPTY: Basket = new Map();

/** A record in the form: how many of its pieces, at what price each. */
export interface Item {
  processRecordId: number;
  quantity: Typed;
  price: Typed;
}

/** Those rows are ticked whose keys are named; what the list does not show now stays as it is. */
export function tick(basket: Basket, shown: readonly Payable[], keys: readonly string[]): Basket {
  const next = new Map(basket);
  for (const row of shown) {
    if (!keys.includes(String(row.id))) next.delete(row.id);
    else next.set(row.id, row);
  }
  return next;
}

/** The list was loaded again: what others paid meanwhile is no longer left. */
export function follow(basket: Basket, shown: readonly Payable[]): Basket {
  const changed = shown.filter((row) => basket.has(row.id) && basket.get(row.id) !== row);
  if (changed.length === 0) return basket;
  return new Map([...basket, ...changed.map((row) => [row.id, row] as const)]);
}

/** All that is left of each record, at the price of the day it left. */
export function itemsOf(basket: Basket): Item[] {
  return [...basket.values()].map(({ id, remainingQuantity, price }) => ({
    processRecordId: id,
    quantity: remainingQuantity,
    price,
  }));
}

/** An item in which nothing is missing. */
type Whole = { [K in keyof Item]: number };

const UNITS = 10_000;
const CENT = 100n;

/** In cents, half a cent up, as the server rounds; whole numbers, since 1.005 has no exact half in a float. */
function cents(quantity: number, price: number): bigint {
  return (BigInt(quantity) * BigInt(Math.round(price * UNITS)) + CENT / 2n) / CENT;
}

function isWhole(item: Item): item is Whole {
  const [quantity, price] = [orNothing(item.quantity), item.price];
  return (
    Number.isInteger(quantity) && quantity > 0 && Number.isFinite(price) && orNothing(price) >= 0
  );
}

/** What the pieces come to; null while something is missing. */
export function amountOf(item: Item): number | null {
  return isWhole(item) ? Number(cents(item.quantity, item.price)) / 100 : null;
}

/** Pieces and money of all of them. */
export function totalOf(items: readonly Item[]): { pieces: number; total: number } {
  const whole = items.filter(isWhole);
  const total = whole.reduce((sum, { quantity, price }) => sum + cents(quantity, price), 0n);
  return {
    pieces: whole.reduce((sum, { quantity }) => sum + quantity, 0),
    total: Number(total) / 100,
  };
}

/** Whose pieces they all are; null where they are of several people. */
export function onlyEarner(rows: Iterable<Payable>): { id: number; name: string } | null {
  const people = new Map([...rows].map(({ userId, outputUsername }) => [userId, outputUsername]));
  const [only] = people;
  return people.size === 1 && only !== undefined ? { id: only[0], name: only[1] } : null;
}
