// @vitest-environment node
import { expect, it } from "vitest";
import { againOf, copyPath, linePath, orderPath, pathAfterLine } from "./paths";

it("returns from a line to its order if it was opened there", () => {
  expect(linePath(3, 2)).toBe("/operations/sales-orders/3/position/2/a");
  expect(pathAfterLine(3, "a")).toBe(orderPath(3));
});

it("copies a whole order, or the line and the pieces that its customer wants again", () => {
  const read = (path: string) => againOf(new URL(path, "https://obrador.test").searchParams);
  expect(copyPath(3)).toBe("/operations/sales-orders/new?copy=3");
  expect(read(copyPath(3))).toBeNull();
  for (const again of [
    { position: 2, quantity: 40 },
    { position: 2, quantity: null },
  ]) {
    expect(copyPath(3, again)).toMatch(/\?copy=3&/);
    expect(read(copyPath(3, again))).toEqual(again);
  }
});

it.each(["0", "-2", "1.5", "x", ""])("takes no pieces from the address that say %j", (pieces) => {
  const asked = new URLSearchParams({ copy: "3", line: "2", pieces });
  expect(againOf(asked)).toEqual({ position: 2, quantity: null });
  expect(againOf(new URLSearchParams({ copy: "3", line: pieces }))).toBeNull();
});

it("returns to the list of all lines from anywhere else", () => {
  expect(pathAfterLine(3, undefined)).toBe("/operations/orders");
  expect(pathAfterLine(3, "b")).toBe("/operations/orders");
});
