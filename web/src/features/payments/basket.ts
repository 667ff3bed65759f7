/** What a clerk has ticked to pay, and what it comes to. Pure. */
import type { Payable } from "@/contract";
import { orNothing, type Typed } from "@/shared/format/typedNumber";

/** The ticked records as they were last seen in the list, by their ids. */
export type Basket = ReadonlyMap<number, Payable>;

export const basketOf = (rows: readonly Payable[]): Basket =>
  new Map(rows.map((row) => [row.id, row]));

/** A record in the form: how many of its pieces, at what price each. */
export interface Item {
  processRecordId: number;
  quantity: Typed;
  price: Typed;
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

export interface Person {
  id: number;
  name: string;
  pieces: number;
  total: number;
}

/** Whose pieces the items are, and what each person's come to; who has the most to get first. */
export function byPerson(items: readonly Item[], basket: Basket): Person[] {
  const people = new Map<number, { name: string; items: Item[] }>();
  for (const item of items) {
    const row = basket.get(item.processRecordId);
    if (row === undefined) continue;
    const person = people.get(row.userId) ?? { name: row.outputUsername, items: [] };
    person.items.push(item);
    people.set(row.userId, person);
  }
  return [...people]
    .map(([id, person]) => ({ id, name: person.name, ...totalOf(person.items) }))
    .toSorted((one, other) => other.total - one.total);
}
