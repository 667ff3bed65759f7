/** The records that the user ticked to pay, and their amounts. Pure functions. */
import type { Owed, Payable } from "@/contract";
import {
  amountInUnits,
  fromUnits,
  inUnits,
  minorUnits,
  priceRule,
  sumOf,
} from "@/shared/format/money";
import { plantCurrency } from "@/shared/format/plant";
import { countable, type Typed } from "@/shared/format/typedNumber";

/** The ticked records by id, as the list showed them last. */
export type Basket = ReadonlyMap<number, Payable>;

/**
 * Whether the record earns by the gram and has no weight yet. Its amount is unknown, so it cannot
 * be paid.
 */
export const isUnweighed = ({ unit, remainingGrams }: Payable): boolean =>
  unit === "gram" && remainingGrams === null;

/**
 * Make a basket of records, sorted as on pay slips: by person, process and exit. Leaves out records
 * that must be weighed first.
 */
export const basketOf = (rows: readonly Payable[]): Basket =>
  new Map(
    rows
      .filter((row) => !isUnweighed(row))
      .toSorted(asOnSlip)
      .map((row) => [row.id, row]),
  );

function asOnSlip(one: Payable, other: Payable): number {
  return (
    one.outputUsername.localeCompare(other.outputUsername) ||
    one.userId - other.userId ||
    one.productionProcessName.localeCompare(other.productionProcessName) ||
    one.productionProcessId - other.productionProcessId ||
    one.outputDate.localeCompare(other.outputDate)
  );
}

/** A record in the form: number of pieces and price of each, or of each gram. */
export interface Item {
  processRecordId: number;
  quantity: Typed;
  price: Typed;
}

/** Return all pieces left of each record, at the price of the day they left. */
export function itemsOf(basket: Basket): Item[] {
  return [...basket.values()].map(({ id, remainingQuantity, price }) => ({
    processRecordId: id,
    quantity: remainingQuantity,
    price,
  }));
}

/** Limits of the pieces to pay if `most` are left. */
export const piecesRule = (most: number) => ({ least: 1, most });

/** Decimals of a gram: weights are whole milligrams. */
const GRAM_DECIMALS = 3;

/**
 * Return the milligrams that are paid with some of the pieces left, as the server shares them: the
 * last pieces get the remainder. Null if the record earns by the piece.
 */
export function mgOf(row: Payable, pieces: number): number | null {
  const { unit, remainingGrams, remainingQuantity } = row;
  if (unit !== "gram" || remainingGrams === null) return null;
  const mg = inUnits(remainingGrams, GRAM_DECIMALS);
  return Number((mg * BigInt(pieces)) / BigInt(remainingQuantity));
}

interface Counted {
  pieces: number;
  amount: number;
}

/** Count an item. Null while a value is missing or invalid, such as more pieces than `most`. */
function counted({ quantity, price }: Item, most: number, row?: Payable): Counted | null {
  const pieces = countable(quantity, piecesRule(most));
  const each = countable(price, priceRule(plantCurrency()));
  if (pieces === null || each === null) return null;
  const mg = row === undefined ? null : mgOf(row, pieces);
  const units =
    mg === null
      ? amountInUnits(pieces, each, plantCurrency())
      : amountInUnits(mg, each, plantCurrency(), GRAM_DECIMALS);
  return { pieces, amount: fromUnits(units, minorUnits(plantCurrency())) };
}

/** The amount of an item in the plant's currency; null while it is unknown. `row`: its record, for grams. */
export function amountOf(item: Item, most: number, row?: Payable): number | null {
  return counted(item, most, row)?.amount ?? null;
}

/** Pieces and amount of several items; null if one of them cannot be counted. */
export interface Sum {
  pieces: number | null;
  total: number | null;
}

export function totalOf(items: readonly Item[], basket: Basket): Sum {
  const sums = items.map((item) => {
    const row = basket.get(item.processRecordId);
    return counted(item, row?.remainingQuantity ?? 0, row);
  });
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

/** Sum the items by the person who is paid for the pieces, highest amount first. */
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

/** Maximum number of people, and of their records, that are paid together. */
const MOST_PEOPLE = 200;
const MOST_RECORDS = 10_000;

/** Return the first people with something to pay, as many as can be paid together. */
export function together(people: readonly Owed[]): Owed[] {
  const found: Owed[] = [];
  let left = MOST_RECORDS;
  for (const one of people) {
    if (one.records === 0 || one.records > left || found.length === MOST_PEOPLE) continue;
    left -= one.records;
    found.push(one);
  }
  return found;
}
