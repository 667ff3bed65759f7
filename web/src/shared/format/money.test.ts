// @vitest-environment node
import { describe, expect, it } from "vitest";
import {
  amountInUnits,
  amountRule,
  fromUnits,
  inUnits,
  minorUnits,
  priceRule,
  sumOf,
} from "./money";

it.each([
  ["JPY", 0],
  ["CLP", 0],
  ["KRW", 0],
  ["MXN", 2],
  ["HUF", 2],
  ["BHD", 3],
  ["IQD", 3],
  ["", 2],
])("amounts of %s have %d decimals, prices four more", (currency, decimals) => {
  expect(minorUnits(currency)).toBe(decimals);
  expect(amountRule(currency).decimals).toBe(decimals);
  expect(priceRule(currency).decimals).toBe(decimals + 4);
});

describe("whole units", () => {
  it.each([
    [1.005, 3, 1005n],
    [9_999_999_999.9999, 7, 99_999_999_999_999_000n],
    [0.0000001, 7, 1n],
    [-0.5, 2, -50n],
    [7, 0, 7n],
  ])("of %d with %d decimals are %s", (number, decimals, units) => {
    expect(inUnits(number, decimals)).toBe(units);
    expect(fromUnits(units, decimals)).toBe(number);
  });
});

it("rounds half a minor unit up", () => {
  expect(amountInUnits(1, 0.5, "JPY")).toBe(1n);
  expect(amountInUnits(1, 0.4999, "JPY")).toBe(0n);
  expect(amountInUnits(1, 1.005, "MXN")).toBe(101n);
  expect(amountInUnits(1, 0.0005, "KWD")).toBe(1n);
});

it("adds amounts exactly", () => {
  expect(sumOf([0.1, 0.2], "MXN")).toBe(0.3);
  expect(sumOf([1.001, 2.002, -0.003], "BHD")).toBe(3);
  expect(sumOf([], "CLP")).toBe(0);
});
