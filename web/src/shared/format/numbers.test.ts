// @vitest-environment node
import { describe, expect, it } from "vitest";
import { formatMoney, formatNumber } from "./numbers";

it("formats a number with all its stored decimals", () => {
  expect(formatNumber(17.1234, "es")).toBe("17.1234");
  expect(formatNumber(1234567, "en")).toBe("1,234,567");
});

describe("an amount of money", () => {
  it.each([
    [5556, "MXN", "$5,556.00 MXN"],
    [61980, "USD", "$61,980.00 USD"],
    [0.5, "EUR", "€0.50 EUR"],
    [12.3456, "MXN", "$12.3456 MXN"],
    [1000, "JPY", "¥1,000 JPY"],
    [1000.25, "JPY", "¥1,000.25 JPY"],
    [1990, "CLP", "$1,990 CLP"],
    [1.5, "BHD", "1.500 BHD"],
    [0.1234567, "KWD", "0.1234567 KWD"],
    [1234.5, "IQD", "1,234.500 IQD"],
    [1234.5, "COP", "$1,234.50 COP"],
    [12.345678, "USD", "$12.345678 USD"],
    [1000, "CHF", "1,000.00 CHF"],
  ])("%d %s is %s in both languages", (amount, currency, text) => {
    expect(formatMoney(amount, currency, "es")).toBe(text);
    expect(formatMoney(amount, currency, "en")).toBe(text);
  });

  it("is a number without a symbol while its currency is unknown", () => {
    expect(formatMoney(1234.5, "", "es")).toBe("1,234.50");
  });
});
