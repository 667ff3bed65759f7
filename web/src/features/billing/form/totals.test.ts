// @vitest-environment node
import { expect, it } from "vitest";
import { amountOf, totalsOf } from "./totals";

const line = (quantity: number | null, price: number | null, taxAmount: number | null = 16) => ({
  quantity,
  price,
  taxAmount,
});

it("rounds a line's amount half up to cents, despite floating point", () => {
  expect(amountOf(line(3, 1.115), "MXN")).toBe(3.35);
  expect(amountOf(line(1, 1.005), "MXN")).toBe(1.01);
  expect(amountOf(line(1, 1.0049), "MXN")).toBe(1);
  expect(amountOf(line(7, 0.1), "MXN")).toBe(0.7);
});

it("adds the rounded amounts and taxes of the lines, then the shipping", () => {
  const lines = [line(1, 10.03), line(1, 10.03), line(2, 4.5, 0)];
  expect(totalsOf(lines, 99.9, "MXN")).toEqual({
    subtotal: 29.06,
    tax: 3.2,
    shipping: 99.9,
    total: 132.16,
  });
});

it("has no total if a part is missing or invalid", () => {
  const good = line(2, 5);
  const unknown = { subtotal: null, tax: null, total: null };
  for (const bad of [
    line(null, 10),
    line(3, null),
    line(-3, 10),
    line(99_999_999_999, 10),
    { ...line(1, 5), price: "1,200" },
  ]) {
    expect(amountOf(bad, "MXN")).toBeNull();
    expect(totalsOf([good, bad], 1, "MXN")).toEqual({ ...unknown, shipping: 1 });
  }
  expect(totalsOf([good, line(2, 5, 101)], null, "MXN")).toEqual({
    ...unknown,
    subtotal: 20,
    shipping: 0,
  });
  expect(totalsOf([good], "abc", "MXN")).toEqual({
    subtotal: 10,
    tax: 1.6,
    shipping: null,
    total: null,
  });
});

it("is zero without lines", () => {
  expect(totalsOf([], null, "MXN")).toEqual({ subtotal: 0, tax: 0, shipping: 0, total: 0 });
});

it("keeps every cent of the largest bills", () => {
  expect(amountOf(line(10_000_000, 99_999.9999), "MXN")).toBe(999_999_999_000);
});

// The same bills as in tests/project/billing/test_minor_units.py: three pieces at 16 %.
it.each([
  ["JPY", 0.5, 100, { subtotal: 2, tax: 0, total: 102 }],
  ["CLP", 1990.1234, 0, { subtotal: 5970, tax: 955, total: 6925 }],
  ["MXN", 1.333333, 4.5, { subtotal: 4, tax: 0.64, total: 9.14 }],
  ["BHD", 0.3335, 1.125, { subtotal: 1.001, tax: 0.16, total: 2.286 }],
  ["KWD", 0.0000001, 0, { subtotal: 0, tax: 0, total: 0 }],
])("rounds to the minor units of %s", (currency, price, shipping, expected) => {
  expect(totalsOf([line(3, price)], shipping, currency)).toEqual({ ...expected, shipping });
});

it("has no total if an amount has more decimals than the currency", () => {
  expect(totalsOf([line(1, 5)], 0.5, "JPY")).toMatchObject({ shipping: null, total: null });
  expect(totalsOf([line(1, 1.00001)], 0, "JPY")).toMatchObject({ subtotal: null, total: null });
  expect(totalsOf([line(1, 1.00001)], 0.5, "BHD")).toMatchObject({ subtotal: 1, shipping: 0.5 });
});
