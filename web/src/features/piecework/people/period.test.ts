// @vitest-environment node
import { expect, it } from "vitest";
import { daysOf, weekOf } from "./period";

it.each([
  ["2026-03-02", "2026-03-02", "2026-03-08"],
  ["2026-03-05", "2026-03-02", "2026-03-08"],
  ["2026-03-08", "2026-03-02", "2026-03-08"],
  ["2026-03-09", "2026-03-09", "2026-03-15"],
  ["2026-01-01", "2025-12-29", "2026-01-04"],
  ["2028-02-29", "2028-02-28", "2028-03-05"],
])("the week of %s is %s to %s", (day, from, to) => {
  expect(weekOf(day)).toEqual({ from, to });
});

it("returns last week, everything or the chosen days", () => {
  const typed = { from: "2026-01-01" };
  expect(daysOf("week", "2026-03-09", typed)).toEqual({ from: "2026-03-09", to: "2026-03-15" });
  expect(daysOf("lastWeek", "2026-03-09", typed)).toEqual({ from: "2026-03-02", to: "2026-03-08" });
  expect(daysOf("all", "2026-03-09", typed)).toEqual({});
  expect(daysOf("days", "2026-03-09", typed)).toEqual(typed);
});
