// @vitest-environment node
import { expect, it } from "vitest";
import { moved, newOrders, type Ordered } from "./orders";

const rows = (...orders: number[]): Ordered[] => orders.map((order, id) => ({ id, order }));
const after = (list: Ordered[]) => {
  const changes = newOrders(list);
  return list.map(({ id, order }) => changes.get(id) ?? order);
};
const rising = (orders: number[]) =>
  orders.every((order, place) => order > (orders[place - 1] ?? 0));

it("moves a row and keeps the order of the others", () => {
  expect(moved(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(moved(["a", "b", "c", "d"], 3, 1)).toEqual(["a", "d", "b", "c"]);
});

it("changes nothing if nothing moved", () => {
  expect(newOrders(rows(1, 2, 3)).size).toBe(0);
  expect(newOrders(rows(10, 20, 35)).size).toBe(0);
});

it("changes only the moved row if there is a free number", () => {
  expect([...newOrders(moved(rows(10, 20, 30, 40), 3, 1))]).toEqual([[3, 11]]);
});

it("shifts only the rows in between if the orders are dense", () => {
  const changes = newOrders(moved(rows(1, 2, 3, 4, 5, 6), 1, 3));
  expect([...changes.keys()].toSorted()).toEqual([1, 2, 3]);
  expect(after(moved(rows(1, 2, 3, 4, 5, 6), 1, 3))).toEqual([1, 2, 3, 4, 5, 6]);
});

it.each([[[5, 5, 5]], [[3, 2, 1]], [[1, 1, 2, 2]], [[1_000_000, 1]], [[2, 9, 3, 4, 10]]])(
  "makes the orders %j strictly increasing",
  (orders) => {
    expect(rising(after(rows(...orders)))).toBe(true);
  },
);
