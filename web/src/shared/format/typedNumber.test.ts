// @vitest-environment node
import { describe, expect, it } from "vitest";
import { countable, orNothing, problemOf, readTyped, taken, type NumberRule } from "./typedNumber";

const pieces: NumberRule = { least: 1, most: 18 };
const price: NumberRule = { least: 0, most: 9_999_999_999, decimals: 4 };
const why = (text: string, rule: NumberRule) => problemOf(readTyped(text, rule), rule);

describe("a whole number", () => {
  it.each(["1", "18", " 7 ", "007"])("is valid as typed: %j", (text) => {
    expect(readTyped(text, pieces)).toBe(Number(text));
    expect(why(text, pieces)).toBeNull();
  });

  it.each([
    ["", { why: "missing" }],
    ["   ", { why: "missing" }],
    ["0", { why: "tooFew", least: 1 }],
    ["-3", { why: "tooFew", least: 1 }],
    ["25", { why: "tooMany", most: 18 }],
    ["1.5", { why: "notWhole" }],
    ["1.000", { why: "notWhole" }],
    ["18.", { why: "notWhole" }],
    ["1,5", { why: "notWhole" }],
    ["1,200", { why: "grouped", digits: "1200" }],
    ["1 200 000", { why: "grouped", digits: "1200000" }],
    ["abc", { why: "notNumber" }],
    ["12a", { why: "notNumber" }],
    ["1e1", { why: "notNumber" }],
    ["Infinity", { why: "notNumber" }],
    ["0x10", { why: "notNumber" }],
    ["-", { why: "notNumber" }],
  ])("%j is invalid: %o", (text, problem) => {
    expect(why(text, pieces)).toEqual(problem);
  });
});

describe("a price", () => {
  it.each([
    ["0", 0],
    ["12.5", 12.5],
    ["12.50000", 12.5],
    [".5", 0.5],
    ["12.", 12],
    ["9999999999", 9_999_999_999],
  ])("%j is %d", (text, value) => {
    expect(readTyped(text, price)).toBe(value);
    expect(why(text, price)).toBeNull();
  });

  it.each([
    ["-1", { why: "tooFew", least: 0 }],
    ["10000000000", { why: "tooMany", most: 9_999_999_999 }],
    ["1.23456", { why: "decimals", decimals: 4 }],
    // As a float it would be 1, which the user did not type.
    ["1.00000000000000000001", { why: "decimals", decimals: 4 }],
    ["1,5", { why: "comma" }],
    ["1,200", { why: "grouped", digits: "1200" }],
    ["1,200.50", { why: "comma" }],
    ["$12", { why: "notNumber" }],
    ["1.2.3", { why: "notNumber" }],
  ])("%j is invalid: %o", (text, problem) => {
    expect(why(text, price)).toEqual(problem);
  });
});

it("rejects a number if its new rule has fewer decimals, and accepts it again with more", () => {
  const typed = readTyped("1.125", { ...price, decimals: 3 });
  expect(problemOf(typed, { ...price, decimals: 0 })).toEqual({ why: "decimals", decimals: 0 });
  expect(problemOf(typed, { ...price, decimals: 3 })).toBeNull();
  expect(readTyped("1.125", { ...price, decimals: 0 })).toBe(1.125);
});

it("keeps a number with more digits than a float holds exactly as typed text", () => {
  const fine = { ...price, decimals: 7 };
  expect(readTyped("12345678.1234567", fine)).toBe(12_345_678.1234567);
  expect(why("1234567890.1234567", fine)).toEqual({ why: "decimals", decimals: 5 });
});

it("keeps a text that is not a number as typed", () => {
  expect(readTyped(" 1,200 ", pieces)).toBe("1,200");
  expect(readTyped("1.5", pieces)).toBe("1.5");
});

it("may be empty if the rule is optional", () => {
  expect(problemOf(null, { ...price, optional: true })).toBeNull();
});

it("throws for a value that is not a number, and counts it as 0 in previews", () => {
  expect(taken(18)).toBe(18);
  expect(() => taken("1.5")).toThrow("1.5");
  expect(() => taken(null)).toThrow("Not a number");
  expect(["1.5", null, undefined, 3].map(orNothing)).toEqual([0, 0, 0, 3]);
});

it("excludes invalid numbers from sums", () => {
  const rule = { least: 1, most: 18 };
  const typed = [3, 18, 19, -3, 0, "1.5", null, undefined];
  expect(typed.map((each) => countable(each, rule))).toEqual([
    3,
    18,
    ...Array.from({ length: 6 }, () => null),
  ]);
  expect(countable(null, { ...rule, optional: true })).toBe(0);
});
