/** What a clerk has ticked to pay, and what it comes to. Pure. */
import type { Payable } from "@/contract";
import { countable, type Typed } from "@/shared/format/typedNumber";

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

/** What a piece may be paid with. */
export const PRICE = { least: 0, most: 9_999_999_999, decimals: 4 };

/** How many pieces may be paid of which `most` are left. */
export const piecesRule = (most: number) => ({ least: 1, most });

const UNITS = 10_000;
const CENT = 100n;

/** In cents, half a cent up, as the server rounds; whole numbers, since 1.005 has no exact half in a float. */
function cents(quantity: number, price: number): bigint {
  return (BigInt(quantity) * BigInt(Math.round(price * UNITS)) + CENT / 2n) / CENT;
}

interface Counted {
  pieces: number;
  cents: bigint;
}

/** Null while something is missing or cannot be taken: more pieces than the `most` that are left, for one. */
function counted({ quantity, price }: Item, most: number): Counted | null {
  const pieces = countable(quantity, piecesRule(most));
  const each = countable(price, PRICE);
  return pieces === null || each === null ? null : { pieces, cents: cents(pieces, each) };
}

/** What the pieces come to; null where nobody knows. */
export function amountOf(item: Item, most: number): number | null {
  const sum = counted(item, most);
  return sum === null ? null : Number(sum.cents) / 100;
}

/** Pieces and money of all of them; null where one of them cannot be counted. */
export interface Sum {
  pieces: number | null;
  total: number | null;
}

export function totalOf(items: readonly Item[], basket: Basket): Sum {
  const sums = items.map((item) =>
    counted(item, basket.get(item.processRecordId)?.remainingQuantity ?? 0),
  );
  if (!sums.every((sum) => sum !== null)) return { pieces: null, total: null };
  return {
    pieces: sums.reduce((all, sum) => all + sum.pieces, 0),
    total: Number(sums.reduce((all, sum) => all + sum.cents, 0n)) / 100,
  };
}

export interface Person extends Sum {
  id: number;
  name: string;
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
    .map(([id, person]) => ({ id, name: person.name, ...totalOf(person.items, basket) }))
    .toSorted((one, other) => (other.total ?? 0) - (one.total ?? 0));
}
