// @vitest-environment node
import { describe, expect, it } from "vitest";
import {
  isScales,
  readScale,
  readWeight,
  ScaleLines,
  weightProblem,
  type Make,
  type WeightProblem,
} from "./readings";

describe("a weight that a person types", () => {
  it.each([
    ["12.5", 12.5],
    ["12,5", 12.5],
    [" 12.50 ", 12.5],
    ["12.5 g", 12.5],
    ["12.5G", 12.5],
    [".5", 0.5],
    [",5", 0.5],
    ["0,250", 0.25],
    ["12.", 12],
    ["007", 7],
    ["12.345", 12.345],
    ["0.012 kg", 12],
    ["250 mg", 0.25],
    ["1000000", 1_000_000],
    ["470913 g", 470_913],
    ["99999", 99_999],
    ["12,5 gr", 12.5],
    ["7.5gr", 7.5],
    ["7.5 grs", 7.5],
    ["7.5 gr.", 7.5],
    ["7.5 Gramos", 7.5],
    ["1 gramo", 1],
    ["+3.2", 3.2],
  ])("%j is %d grams", (text, grams) => {
    expect(readWeight(text)).toBe(grams);
    expect(weightProblem(readWeight(text), true)).toBeNull();
  });

  it.each<[string, WeightProblem]>([
    ["", { why: "missing" }],
    ["  ", { why: "missing" }],
    ["0", { why: "zero" }],
    ["0.000 g", { why: "zero" }],
    ["-0.00", { why: "zero" }],
    ["-3.2", { why: "negative" }],
    ["−3,2 g", { why: "negative" }],
    ["12.5 oz", { why: "unit", unit: "oz" }],
    ["12.5ct", { why: "unit", unit: "ct" }],
    ["1 ozt", { why: "unit", unit: "ozt" }],
    ["12 GN", { why: "unit", unit: "GN" }],
    ["3 dwt", { why: "unit", unit: "dwt" }],
    ["12 PC", { why: "unit", unit: "PC" }],
    ["12 quilat", { why: "unit", unit: "quilat" }],
    ["470913", { why: "pinLike", digits: "470913" }],
    [" 012345 ", { why: "pinLike", digits: "012345" }],
    ["1,250", { why: "ambiguous", point: "1.25", whole: "1250" }],
    ["1,250.5", { why: "separators" }],
    ["1.2.3", { why: "separators" }],
    ["12,,5", { why: "separators" }],
    ["12.3456", { why: "decimals" }],
    ["0.5 mg", { why: "decimals" }],
    ["1000000.001", { why: "tooMany" }],
    [`${"9".repeat(400)} g`, { why: "tooMany" }],
    ["US,+00012.34  g", { why: "moving" }],
    ["12.34 g ?", { why: "moving" }],
    ["OL,+9999999E+19", { why: "overload" }],
    ["abc", { why: "notNumber" }],
    ["1 200", { why: "notNumber" }],
    ["1e3", { why: "notNumber" }],
    ["12-1", { why: "notNumber" }],
    ["$12", { why: "notNumber" }],
    ["Infinity", { why: "notNumber" }],
    ["-", { why: "notNumber" }],
    [",", { why: "notNumber" }],
    ["12½", { why: "notNumber" }],
  ])("%j is refused as %o", (text, problem) => {
    expect(weightProblem(readWeight(text), true)).toEqual(problem);
  });

  it("may be 0 of what is seldom there", () => {
    expect(weightProblem(readWeight("0"), false, true)).toBeNull();
    expect(weightProblem(readWeight("-1"), false, true)).toEqual({ why: "negative" });
  });

  it("stays as it was typed while it is refused, and may be missing where nothing asks for it", () => {
    expect(readWeight(" 12.5 oz")).toBe("12.5 oz");
    expect(weightProblem(null, false)).toBeNull();
  });
});

/** What scales of each make send, line by line as their manuals print it. */
const SENT: [Make, string, unknown][] = [
  ["and", "ST,+00012.34  g", { kind: "stable", grams: 12.34 }],
  ["and", "ST,-00012.34  g", { kind: "stable", grams: -12.34 }],
  ["and", "ST,+00000.00  g", { kind: "stable", grams: 0 }],
  ["and", "ST,+0000.012 kg", { kind: "stable", grams: 12 }],
  ["and", "US,+00011.90  g", { kind: "moving", grams: 11.9 }],
  ["and", "OL,+9999999E+19", { kind: "refused", problem: { why: "overload" } }],
  ["and", "QT,+00000012 PC", { kind: "refused", problem: { why: "unit", unit: "PC" } }],
  ["and", "ST,+0061.700 ct", { kind: "refused", problem: { why: "unit", unit: "ct" } }],
  ["and", "+00012.34  g", null], // it does not say whether it is stable
  ["and", "TIME,12:34:56", null],
  ["ohaus", "     12.34 g    ", { kind: "stable", grams: 12.34 }],
  ["ohaus", "     12.34 g     N", { kind: "stable", grams: 12.34 }],
  ["ohaus", "-     5.00 g     ", { kind: "stable", grams: -5 }],
  ["ohaus", "     12.31 g   ? ", { kind: "moving", grams: 12.31 }],
  ["ohaus", "     12.31 g ?N  ", { kind: "moving", grams: 12.31 }],
  ["ohaus", "    190.43 GN    ", { kind: "refused", problem: { why: "unit", unit: "GN" } }],
  ["ohaus", "    0.4353 oz    ", { kind: "refused", problem: { why: "unit", unit: "oz" } }],
  ["ohaus", "     12.34", null],
  ["ohaus", "Err 8.4", null],
  ["adam", "GROSS   123.45 g ", { kind: "stable", grams: 123.45 }],
  ["adam", "NET      12.34 g ", { kind: "stable", grams: 12.34 }],
  ["adam", "Net Wt. 0.012 Kg", { kind: "stable", grams: 12 }],
  ["adam", "ST,GS,   12.34 g", { kind: "stable", grams: 12.34 }],
  ["adam", "US,NT,   12.30 g", { kind: "moving", grams: 12.3 }],
  ["adam", "N +  12.34 g", { kind: "stable", grams: 12.34 }],
  ["adam", "Total   123.45 g ", null],
  ["adam", "TARE     10.00 g ", null],
  ["adam", "Unit Wt. 1.234 g", null],
  ["adam", "No.          01", null],
  ["adam", "PCS 10 pcs", null],
  ["adam", "Date 12/09/2006", null],
  ["mettler", "S S     100.00 g", { kind: "stable", grams: 100 }],
  ["mettler", "S S      -5.00 g", { kind: "stable", grams: -5 }],
  ["mettler", "S S     0.100 kg", { kind: "stable", grams: 100 }],
  ["mettler", "S D      99.87 g", { kind: "moving", grams: 99.87 }],
  ["mettler", "S +", { kind: "refused", problem: { why: "overload" } }],
  ["mettler", "S S    12.34 ozt", { kind: "refused", problem: { why: "unit", unit: "ozt" } }],
  ["mettler", "S S     12.34 gr", { kind: "refused", problem: { why: "unit", unit: "gr" } }],
  ["mettler", "S -", null],
  ["mettler", "S I", null],
  ["mettler", "ES", null],
  ["mettler", "T S    10.00 g", null], // the tare
  ["mettler", "    100.00 g", null], // it does not say whether it is stable
];

it.each(SENT)("a scale of %s sends %j, read as %o", (make, line, reading) => {
  const lines = new ScaleLines(make);
  expect(lines.push(`cut off\r\n${line}\r\n`)).toEqual(reading === null ? [] : [reading]);
});

describe("an NCI scale", () => {
  const push = (...texts: string[]) => {
    const lines = new ScaleLines("nci");
    return texts.flatMap((text) => lines.push(text));
  };

  it.each([
    ["\n  12.34g\r\n00\r\u0003", [{ kind: "stable", grams: 12.34 }]],
    ["\n0012.34G \r\nS00\r\u0003", [{ kind: "stable", grams: 12.34 }]],
    ["\n -1.00g\r\n00\r\u0003", [{ kind: "stable", grams: -1 }]],
    ["\n  0.00g\r\n20\r\u0003", [{ kind: "stable", grams: 0 }]],
    ["\n  12.34g\r\n10\r\u0003", [{ kind: "moving", grams: 12.34 }]],
    ["\n  12.34g\r\n30\r\u0003", [{ kind: "moving", grams: 12.34 }]],
    ["\n  0.43oz\r\n00\r\u0003", [{ kind: "refused", problem: { why: "unit", unit: "oz" } }]],
    ["\n^^^^^^^g\r\n02\r\u0003", [{ kind: "refused", problem: { why: "overload" } }]],
    ["\n_______g\r\n01\r\u0003", [{ kind: "refused", problem: { why: "overload" } }]],
    ["\n  12.34g\r\n0p0\r\u0003", [{ kind: "stable", grams: 12.34 }]],
    ["\n?\r\u0003", []],
    ["\n00\r\u0003", []],
  ])("sends %j, read as %o", (text, readings) => {
    expect(push(text)).toEqual(readings);
  });

  it("gives no weight before its status", () => {
    expect(push("\n  12.34g\r\n")).toEqual([]);
    expect(push("\n  12.34g\r", "\n1", "0\r\u0003")).toEqual([{ kind: "moving", grams: 12.34 }]);
  });

  it("does not give a weight twice for two statuses", () => {
    expect(push("\n  12.34g\r\n00\r\u0003", "\n00\r\u0003")).toHaveLength(1);
  });
});

it("drops the first text, which may be cut: a weight of 12.34 g must not be read as 2.34 g", () => {
  const lines = new ScaleLines("ohaus");
  expect(lines.push("2.34 g\r\n")).toEqual([]);
  expect(lines.push("  12.34 g\r\n  12.")).toEqual([{ kind: "stable", grams: 12.34 }]);
  expect(lines.push("35 g")).toEqual([]);
  expect(lines.push("\r\n")).toEqual([{ kind: "stable", grams: 12.35 }]);
});

it("reads a comma of a scale as decimals, and rounds tenths of a milligram", () => {
  expect(readScale("12,345 g")).toEqual({ kind: "stable", grams: 12.345 });
  expect(readScale("12.34567 g")).toEqual({ kind: "stable", grams: 12.346 });
});

it.each([
  ["12.34", true],
  ["12,34 g", true],
  ["ST,+00012.34  g", true],
  ["12.3 oz", true],
  ["S S     100.00 g", true],
  ["123456", false], // a PIN
  ["7501055300075", false],
  ["12-1", false],
  ["12'1", false],
  ["B1ABCDEFGHIJKLMNOPQRSTUVWXYZ", false],
  ["7ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTU", false],
  ["G7ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRST", false],
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOP", false],
  ["", false],
])("of what is typed outside of weight fields, %j is a scale's: %s", (text, is) => {
  expect(isScales(text)).toBe(is);
});
