/** What a clerk has ticked to pay, and what it comes to. Pure. */
import type { Payable } from "@/contract";
import { amountInUnits, fromUnits, minorUnits, priceRule, sumOf } from "@/shared/format/money";
import { plantCurrency } from "@/shared/format/plant";
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

/** How many pieces may be paid of which `most` are left. */
export const piecesRule = (most: number) => ({ least: 1, most });

interface Counted {
  pieces: number;
  amount: number;
}

/** Null while something is missing or cannot be taken: more pieces than the `most` that are left, for one. */
function counted({ quantity, price }: Item, most: number): Counted | null {
  const pieces = countable(quantity, piecesRule(most));
  const each = countable(price, priceRule(plantCurrency()));
  if (pieces === null || each === null) return null;
  const units = amountInUnits(pieces, each, plantCurrency());
  return { pieces, amount: fromUnits(units, minorUnits(plantCurrency())) };
}

/** What the pieces come to in the plant's currency; null where nobody knows. */
export function amountOf(item: Item, most: number): number | null {
  return counted(item, most)?.amount ?? null;
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
    total: sumOf(
      sums.map(({ amount }) => amount),
      plantCurrency(),
    ),
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
