// @vitest-environment node
import { describe, expect, it } from "vitest";
import { formatMoney, formatNumber } from "./numbers";

it("writes a number with all its stored decimals", () => {
  expect(formatNumber(17.1234, "es")).toBe("17.1234");
  expect(formatNumber(1234567, "en")).toBe("1,234,567");
});

describe("an amount of money", () => {
  it.each([
    [5556, "MXN", "$5,556.00 MXN"],
    [61980, "USD", "$61,980.00 USD"],
    [0.5, "EUR", "€0.50 EUR"],
    [12.3456, "MXN", "$12.3456 MXN"],
    [1000, "JPY", "¥1,000.00 JPY"],
    [1000, "CHF", "1,000.00 CHF"],
  ])("%d %s is %s in both languages", (amount, currency, text) => {
    expect(formatMoney(amount, currency, "es")).toBe(text);
    expect(formatMoney(amount, currency, "en")).toBe(text);
  });

  it("is a number alone while its currency is not known", () => {
    expect(formatMoney(1234.5, "", "es")).toBe("1,234.50");
  });
});
