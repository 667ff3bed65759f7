// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aBill, aBillable } from "@/testing/bills";
import { converted, emptied, inCurrency, rateOf, typedAmounts, withMoney } from "./currency";
import { ticked, valuesOf, type LineValues } from "./values";

/** A line with a list price of 12.50 USD. */
const ring = (overrides: Partial<LineValues> = {}, currency = "USD"): LineValues => ({
  ...ticked(aBillable(), currency),
  ...overrides,
});
const pricesOf = ({ lines }: { lines: LineValues[] }) => lines.map(({ price }) => price);

describe("the price of a ticked line", () => {
  it("is the list price if the bill is in its currency", () => {
    expect(ring().price).toBe(12.5);
  });

  it.each(["MXN", "EUR", ""])("is empty if the bill is in %o", (currency) => {
    expect(ring({}, currency).price).toBeNull();
  });
});

describe("a change of currency", () => {
  it("never keeps a price that the user did not type", () => {
    const amounts = { lines: [ring()], shippingPrice: null };
    const pesos = inCurrency(amounts, "USD", "MXN");
    expect(pricesOf(pesos)).toEqual([null]);
    expect(pricesOf(inCurrency(pesos, "MXN", "USD"))).toEqual([12.5]);
  });

  it("proposes the list prices in that currency", () => {
    const amounts = { lines: [ring({}, "MXN")], shippingPrice: null };
    expect(typedAmounts(amounts, "MXN")).toBe(0);
    expect(pricesOf(inCurrency(amounts, "MXN", "USD"))).toEqual([12.5]);
  });

  it("counts typed prices and shipping, and keeps them only if the user wants to", () => {
    const amounts = { lines: [ring({ price: 230 }), ring()], shippingPrice: 99.9 };
    expect(typedAmounts(amounts, "USD")).toBe(2);
    expect(inCurrency(amounts, "USD", "MXN")).toMatchObject({
      lines: [{ price: 230 }, { price: null }],
      shippingPrice: 99.9,
    });
    expect(emptied(amounts, "USD", "MXN")).toMatchObject({
      lines: [{ price: null }, { price: null }],
      shippingPrice: null,
    });
  });

  it("empties typed prices, and proposes list prices for the others", () => {
    const lines = [ring({ price: 500 }, "MXN"), ring({}, "MXN")];
    expect(pricesOf(emptied({ lines, shippingPrice: 99.9 }, "MXN", "USD"))).toEqual([null, 12.5]);
  });

  it("treats every amount of a saved pre-bill as typed", () => {
    const { lines } = valuesOf(aBill());
    expect(typedAmounts({ lines, shippingPrice: 0 }, "USD")).toBe(1);
  });

  it("treats an empty price as not typed", () => {
    const lines = [ring({ price: null })];
    expect(typedAmounts({ lines, shippingPrice: null }, "USD")).toBe(0);
  });
});

describe("the fields sent for a changed pre-bill", () => {
  it("include all amounts if one of them or the currency changed", () => {
    for (const field of ["currency", "lines", "shippingPrice"] as const) {
      expect(new Set(withMoney([field]))).toEqual(new Set(["currency", "lines", "shippingPrice"]));
    }
    expect(withMoney(["notes"])).toEqual(["notes"]);
  });
});

describe("a rate", () => {
  it("is said in the plant's currency where it is one of the two", () => {
    expect(rateOf("MXN", "USD")).toEqual({ one: "USD", many: "MXN" });
    expect(rateOf("USD", "MXN")).toEqual({ one: "USD", many: "MXN" });
    expect(rateOf("EUR", "USD")).toEqual({ one: "USD", many: "EUR" });
  });

  it.each([
    [480, "MXN", "USD", 18.4, 26.09],
    [12.5, "USD", "MXN", 18.4, 230],
    [480, "MXN", "JPY", 0.125, 3840],
    [12.5, "EUR", "USD", 0.8, 15.63],
  ])("converts %d %s to %s at %d", (price, from, to, rate, expected) => {
    expect(converted(price, from, to, rate)).toBe(expected);
  });
});
