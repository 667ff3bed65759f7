// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aBill, aBillable } from "@/testing/bills";
import { emptied, inCurrency, typedAmounts, withMoney } from "./currency";
import { ticked, valuesOf, type LineValues } from "./values";

/** A ring of 12.50 USD. */
const ring = (overrides: Partial<LineValues> = {}, currency = "USD"): LineValues => ({
  ...ticked(aBillable(), currency),
  ...overrides,
});
const pricesOf = ({ lines }: { lines: LineValues[] }) => lines.map(({ price }) => price);

describe("the price of a ticked line", () => {
  it("is the product's where the bill is in its currency", () => {
    expect(ring().price).toBe(12.5);
  });

  it.each(["MXN", "EUR", ""])("is asked for where the bill is in %o", (currency) => {
    expect(ring({}, currency).price).toBeNull();
  });
});

describe("another currency", () => {
  it("never keeps a price that nobody typed", () => {
    const amounts = { lines: [ring()], shippingPrice: null };
    const pesos = inCurrency(amounts, "USD", "MXN");
    expect(pricesOf(pesos)).toEqual([null]);
    expect(pricesOf(inCurrency(pesos, "MXN", "USD"))).toEqual([12.5]);
  });

  it("proposes the price of what is priced in it", () => {
    const amounts = { lines: [ring({}, "MXN")], shippingPrice: null };
    expect(typedAmounts(amounts, "MXN")).toBe(0);
    expect(pricesOf(inCurrency(amounts, "MXN", "USD"))).toEqual([12.5]);
  });

  it("counts what was typed, the shipping too, and keeps it only where the person says so", () => {
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

  it("empties what was typed where the product has a price in the new one, and proposes it elsewhere", () => {
    const lines = [ring({ price: 500 }, "MXN"), ring({}, "MXN")];
    expect(pricesOf(emptied({ lines, shippingPrice: 99.9 }, "MXN", "USD"))).toEqual([null, 12.5]);
  });

  it("takes every amount of a saved pre-bill for typed: nobody knows any more", () => {
    const { lines } = valuesOf(aBill());
    expect(typedAmounts({ lines, shippingPrice: 0 }, "USD")).toBe(1);
  });

  it("takes an empty price for none", () => {
    const lines = [ring({ price: null })];
    expect(typedAmounts({ lines, shippingPrice: null }, "USD")).toBe(0);
  });
});

describe("what is sent of a changed pre-bill", () => {
  it("is all of its amounts where one of them or the currency changed", () => {
    for (const field of ["currency", "lines", "shippingPrice"] as const) {
      expect(new Set(withMoney([field]))).toEqual(new Set(["currency", "lines", "shippingPrice"]));
    }
    expect(withMoney(["notes"])).toEqual(["notes"]);
  });
});
