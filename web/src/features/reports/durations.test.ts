import { describe, expect, it } from "vitest";
import { duration, linePath, lonePath, topOf } from "./durations";

describe("a duration", () => {
  it.each([
    [0, "minutes", 0],
    [0.5, "minutes", 30],
    [1, "hours", 1],
    [26.24, "hours", 26.2],
    [48, "days", 2],
    [60.5, "days", 2.5],
  ] as const)("of %d hours is shown in %s", (hours, unit, value) => {
    expect(duration(hours)).toEqual({ unit, value });
  });
});

describe("a chart", () => {
  it.each([
    [[], 1],
    [[0], 1],
    [[0.3], 0.5],
    [[1], 1],
    [[4, 11], 20],
    [[51], 100],
  ] as const)("of %j ends at %d", (values, top) => {
    expect(topOf(values)).toBeCloseTo(top);
  });

  it("draws a line through the days, with a gap for a day without a value", () => {
    expect(linePath([0, 5, null, 10], 10)).toBe("M12.5 100L37.5 50M87.5 0");
    expect(linePath([null, null], 1)).toBe("");
  });

  it("draws a dot for a day without others beside it", () => {
    expect(lonePath([0, 5, null, 10], 10)).toBe("M87.5 0h.001");
    expect(lonePath([5], 10)).toBe("M50 50h.001");
    expect(lonePath([0, 5], 10)).toBe("");
  });
});
