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

it("knows no total of which a part is missing or cannot be taken", () => {
  const good = line(2, 5);
  const unknown = { subtotal: null, tax: null, total: null };
  for (const bad of [
    line(null, 10),
    line(3, null),
    line(-3, 10),
    line(99_999_999_999, 10),
    { ...line(1, 5), price: "1,200" },
  ]) {
    expect(amountOf(bad)).toBeNull();
    expect(totalsOf([good, bad], 1)).toEqual({ ...unknown, shipping: 1 });
  }
  expect(totalsOf([good, line(2, 5, 101)], null)).toEqual({
    ...unknown,
    subtotal: 20,
    shipping: 0,
  });
  expect(totalsOf([good], "abc")).toEqual({
    subtotal: 10,
    tax: 1.6,
    shipping: null,
    total: null,
  });
});

it("is nothing of nothing", () => {
  expect(totalsOf([], null)).toEqual({ subtotal: 0, tax: 0, shipping: 0, total: 0 });
});

it("keeps every cent of the largest bills", () => {
  expect(amountOf(line(10_000_000, 99_999.9999))).toBe(999_999_999_000);
});
