// @vitest-environment node
import { afterEach, describe, expect, it } from "vitest";
import type { Owed, Payable } from "@/contract";
import { setPlantCurrency } from "@/shared/format/plant";
import { aPayable } from "@/testing/payables";
import { amountOf, basketOf, byPerson, itemsOf, mgOf, together, totalOf } from "./basket";

const aRow = (id: number, over: Partial<Payable> = {}) => aPayable({ id, ...over });

describe("the basket", () => {
  const rows = [
    aRow(1, { remainingQuantity: 6 }),
    aRow(2),
    aRow(3, { userId: 8, outputUsername: "Beto", remainingQuantity: 20 }),
  ];

  it("proposes all pieces left of each record, at the price of its day", () => {
    expect(itemsOf(basketOf(rows.slice(0, 1)))).toEqual([
      { processRecordId: 1, quantity: 6, price: 9.25 },
    ]);
  });

  it("pays grams at the price of a gram, in parts that add up, and leaves out what is not weighed", () => {
    const row = aRow(1, { unit: "gram", price: 3.2, remainingQuantity: 3, remainingGrams: 25.31 });
    const item = (quantity: number) => ({ processRecordId: 1, quantity, price: 3.2 });
    expect(amountOf(item(3), 3, row)).toBe(80.99);
    expect(mgOf(row, 1)).toBe(8436);
    expect(amountOf(item(1), 3, row)).toBe(27);
    expect(totalOf(itemsOf(basketOf([row])), basketOf([row]))).toEqual({ pieces: 3, total: 80.99 });
    const unweighed = aRow(2, { unit: "gram", remainingGrams: null });
    expect([...basketOf([row, unweighed]).keys()]).toEqual([1]);
    expect(mgOf(aRow(3), 10)).toBeNull();
  });

  it("is sorted by person, process and exit", () => {
    const later = "2026-03-02T14:00:00.000Z";
    const mixed = [
      aRow(1, { userId: 8, outputUsername: "Beto" }),
      aRow(2, { outputDate: later }),
      aRow(3, { productionProcessName: "Fundición", productionProcessId: 9, outputDate: later }),
      aRow(4),
    ];
    expect([...basketOf(mixed).keys()]).toEqual([3, 4, 2, 1]);
  });

  it("sums the pieces and amounts of each person", () => {
    const basket = basketOf(rows);
    expect(byPerson(itemsOf(basket), basket)).toEqual([
      { id: 8, name: "Beto", pieces: 20, total: 185 },
      { id: 7, name: "Ana Torres", pieces: 16, total: 148 },
    ]);
    expect(byPerson([], basket)).toEqual([]);
  });

  it("has no sum if a part is missing or exceeds what is left", () => {
    const basket = basketOf(rows);
    const [first, ...others] = itemsOf(basket);
    for (const quantity of [7, -3, 0, null, "2 000"]) {
      const items = [{ ...first!, quantity }, ...others];
      expect(totalOf(items, basket)).toEqual({ pieces: null, total: null });
      expect(byPerson(items, basket)).toEqual([
        { id: 8, name: "Beto", pieces: 20, total: 185 },
        { id: 7, name: "Ana Torres", pieces: null, total: null },
      ]);
    }
    expect(totalOf(itemsOf(basket), basket)).toEqual({ pieces: 36, total: 333 });
  });
});

const MOST = 10_000_000;
const anItem = (quantity: number | null, price: number | null) => ({
  processRecordId: 1,
  quantity,
  price,
});

describe("amounts", () => {
  it.each([
    [1, 1.005, 1.01],
    [1, 1.0049, 1],
    [3, 0.335, 1.01],
    [7, 0.145, 1.02],
    [10_000_000, 9.2525, 92_525_000],
    [4, 0, 0],
  ])("%d × %d is %d, with half a cent rounded up", (quantity, price, amount) => {
    expect(amountOf(anItem(quantity, price), MOST)).toBe(amount);
  });

  afterEach(() => setPlantCurrency(undefined));

  it.each([
    ["CLP", 9.2525, 28],
    ["CLP", 9.25255, null],
    ["TND", 9.2525255, 27.758],
  ])("have the decimals of the plant's currency: 3 at %s %d", (currency, price, amount) => {
    setPlantCurrency(currency);
    expect(amountOf(anItem(3, price), MOST)).toBe(amount);
    expect(totalOf([anItem(3, price)], basketOf([aRow(1)])).total).toBe(amount);
  });

  it("are unknown while a value is missing or out of range", () => {
    const bad = [anItem(null, 1), anItem(1, null), anItem(0, 1), anItem(1, -1), anItem(11, 1)];
    expect(bad.map((item) => amountOf(item, 10))).toEqual([null, null, null, null, null]);
  });

  it("are unknown while a typed value is not a number", () => {
    expect(amountOf({ ...anItem(2, 1), quantity: "2 000" }, MOST)).toBeNull();
    expect(amountOf({ ...anItem(2, 1), price: "1,5" }, MOST)).toBeNull();
  });

  it("are added after each one is rounded", () => {
    const items = Array.from({ length: 3 }, () => anItem(1, 1.005));
    expect(totalOf(items, basketOf([aRow(1)]))).toEqual({ pieces: 3, total: 3.03 });
  });
});

describe("the people who are paid together", () => {
  const owed = (userId: number, records: number) => ({ userId, records }) as Owed;
  const ids = (people: Owed[]) => together(people).map(({ userId }) => userId);

  it("are those with something to pay for the days", () => {
    expect(ids([owed(1, 3), owed(2, 0), owed(3, 1)])).toEqual([1, 3]);
  });

  it("are as many as the server pays together", () => {
    expect(ids([owed(1, 9_999), owed(2, 2), owed(3, 1)])).toEqual([1, 3]);
    expect(ids(Array.from({ length: 201 }, (_, index) => owed(index, 1)))).toHaveLength(200);
  });
});
