import { describe, expect, it } from "vitest";
import type { Payable } from "@/contract";
import { amountOf, basketOf, byPerson, itemsOf, totalOf } from "./basket";

const aRow = (id: number, over: Partial<Payable> = {}): Payable => ({
  id,
  salesOrderId: 1,
  position: 1,
  customerSalesOrderId: "A-1",
  customerId: 1,
  customerName: "Joyas",
  itemName: "Anillo",
  productionProcessId: 2,
  productionProcessName: "Pulido",
  userId: 7,
  outputUsername: "Ana Torres",
  inputDate: "2026-03-02T12:00:00.000Z",
  outputDate: "2026-03-02T13:00:00.000Z",
  quantity: 10,
  paidQuantity: 0,
  remainingQuantity: 10,
  price: 9.25,
  currency: "MXN",
  ...over,
});

describe("the basket", () => {
  const rows = [
    aRow(1, { remainingQuantity: 6 }),
    aRow(2),
    aRow(3, { userId: 8, outputUsername: "Beto", remainingQuantity: 20 }),
  ];

  it("proposes all that is left of each record, at the price of its day", () => {
    expect(itemsOf(basketOf(rows.slice(0, 1)))).toEqual([
      { processRecordId: 1, quantity: 6, price: 9.25 },
    ]);
  });

  it("knows whose pieces they are, and what each person's come to", () => {
    const basket = basketOf(rows);
    expect(byPerson(itemsOf(basket), basket)).toEqual([
      { id: 8, name: "Beto", pieces: 20, total: 185 },
      { id: 7, name: "Ana Torres", pieces: 16, total: 148 },
    ]);
    expect(byPerson([], basket)).toEqual([]);
  });
});

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
  ])("%d × %d is %d, half a cent up", (quantity, price, amount) => {
    expect(amountOf(anItem(quantity, price))).toBe(amount);
  });

  it("are unknown while something is missing or cannot be", () => {
    const bad = [anItem(null, 1), anItem(1, null), anItem(0, 1), anItem(1.5, 1), anItem(1, -1)];
    expect(bad.map(amountOf)).toEqual([null, null, null, null, null]);
    expect(totalOf([...bad, anItem(2, 1.5)])).toEqual({ pieces: 2, total: 3 });
  });

  it("are unknown while what is typed is no number", () => {
    expect(amountOf({ ...anItem(2, 1), quantity: "2 000" })).toBeNull();
    expect(amountOf({ ...anItem(2, 1), price: "1,5" })).toBeNull();
  });

  it("are added as they are rounded, each for itself", () => {
    const items = Array.from({ length: 3 }, () => anItem(1, 1.005));
    expect(totalOf(items)).toEqual({ pieces: 3, total: 3.03 });
  });
});
