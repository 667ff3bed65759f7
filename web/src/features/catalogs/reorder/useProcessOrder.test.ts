import { expect, it } from "vitest";
import { moved, newOrders } from "./useProcessOrder";

type Rows = Parameters<typeof newOrders>[0];

const rows = (...orders: number[]): Rows => orders.map((order, id) => ({ id, order }));
const after = (list: Rows) => {
  const changes = newOrders(list);
  return list.map(({ id, order }) => changes.get(id) ?? order);
};

it("moves a row and keeps the order of the others", () => {
  expect(moved(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(moved(["a", "b", "c", "d"], 3, 1)).toEqual(["a", "d", "b", "c"]);
});

it("changes nothing if the rows are numbered as they stand", () => {
  expect(newOrders(rows(1, 2, 3)).size).toBe(0);
});

it("changes only the rows in between if the orders are dense", () => {
  const changes = newOrders(moved(rows(1, 2, 3, 4, 5, 6), 1, 3));
  expect([...changes.keys()].toSorted()).toEqual([1, 2, 3]);
});

it.each([
  [[1, 2, 3, 4], 1, 3],
  [[1, 2, 3, 4], 3, 0],
  [[1, 3, 4], 0, 1],
  [[10, 20, 35], 2, 1],
  [[5, 5, 5], 0, 2],
  [[1, 1, 2, 2], 1, 0],
  [[2, 9, 1_000_000], 2, 0],
])("leaves no gap in the orders %j after a move from %i to %i", (orders, from, to) => {
  expect(after(moved(rows(...orders), from, to))).toEqual(orders.map((_, place) => place + 1));
});
