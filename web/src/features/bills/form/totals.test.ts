// @vitest-environment node
import { expect, it } from "vitest";
import { amountOf, totalsOf } from "./totals";

const line = (quantity: number | null, price: number | null, taxAmount: number | null = 16) => ({
  quantity,
  price,
  taxAmount,
});

it("rounds a line's amount half up to cents, where floating point would not", () => {
  expect(amountOf(line(3, 1.115))).toBe(3.35);
  expect(amountOf(line(1, 1.005))).toBe(1.01);
  expect(amountOf(line(1, 1.0049))).toBe(1);
  expect(amountOf(line(7, 0.1))).toBe(0.7);
});

it("adds the rounded amounts and taxes of the lines, then the shipping", () => {
  const lines = [line(1, 10.03), line(1, 10.03), line(2, 4.5, 0)];
  expect(totalsOf(lines, 99.9)).toEqual({
    subtotal: 29.06,
    tax: 3.2,
    shipping: 99.9,
    total: 132.16,
  });
});

it("counts what is not typed yet as nothing", () => {
  expect(totalsOf([line(null, 10), line(3, null), line(2, 5, null)], null)).toEqual({
    subtotal: 10,
    tax: 0,
    shipping: 0,
    total: 10,
  });
  expect(totalsOf([line(2, 5), { ...line(1, 5), price: "1,200" }], "abc").subtotal).toBe(10);
  expect(totalsOf([], null).total).toBe(0);
});

it("keeps every cent of the largest bills", () => {
  expect(amountOf(line(10_000_000, 99_999.9999))).toBe(999_999_999_000);
});
