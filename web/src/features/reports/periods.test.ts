// @vitest-environment node
import { describe, expect, it } from "vitest";
import { before, daysOf, daysUpTo, lengthOf, periodOf, shiftDay } from "./periods";

const MARCH = { from: "2026-03-01", to: "2026-03-31" };

describe("a period", () => {
  it("includes both of its ends", () => {
    expect(lengthOf(MARCH)).toBe(31);
    expect(daysUpTo("2026-03-31", 31)).toEqual(MARCH);
    expect(daysOf({ from: "2024-02-28", to: "2024-03-01" })).toEqual([
      "2024-02-28",
      "2024-02-29",
      "2024-03-01",
    ]);
  });

  it("is preceded by one of the same length", () => {
    expect(before(MARCH)).toEqual({ from: "2026-01-29", to: "2026-02-28" });
    expect(before({ from: "2024-03-01", to: "2024-03-01" }).to).toBe("2024-02-29");
  });

  it("keeps its days when the clocks change", () => {
    expect(shiftDay("2026-03-29", 1)).toBe("2026-03-30");
    expect(daysOf({ from: "2026-10-24", to: "2026-10-26" })).toHaveLength(3);
  });

  it("is the usual one if the address has none, and swaps reversed days", () => {
    expect(periodOf(null, null, MARCH)).toEqual(MARCH);
    expect(periodOf("2026-03-10", null, MARCH)).toEqual({ from: "2026-03-10", to: "2026-03-31" });
    expect(periodOf(null, "2026-02-28", MARCH)).toEqual({ from: "2026-01-29", to: "2026-02-28" });
    expect(periodOf("2026-05-02", "2026-05-01", MARCH)).toEqual({
      from: "2026-05-01",
      to: "2026-05-02",
    });
    expect(periodOf("yesterday", "2026-13-45", MARCH)).toEqual(MARCH);
  });
});
