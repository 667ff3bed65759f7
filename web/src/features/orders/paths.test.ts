// @vitest-environment node
import { expect, it } from "vitest";
import { linePath, orderPath, pathAfterLine } from "./paths";

it("returns from a line to its order if it was opened there", () => {
  expect(linePath(3, 2)).toBe("/operations/sales-orders/3/position/2/a");
  expect(pathAfterLine(3, "a")).toBe(orderPath(3));
});

it("returns to the list of all lines from anywhere else", () => {
  expect(pathAfterLine(3, undefined)).toBe("/operations/orders");
  expect(pathAfterLine(3, "b")).toBe("/operations/orders");
});
