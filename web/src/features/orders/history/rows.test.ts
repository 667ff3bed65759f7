// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aRecord } from "@/testing/lines";
import { compareBy, newestFirst, rowState } from "./rows";

const left = { ...aRecord(), outputDate: "2026-03-14T16:00:00Z" };

it.each([
  [aRecord(), "in-process"],
  [left, "done"],
  [{ ...left, deletedDate: "2026-03-14T17:00:00Z" }, "deleted"],
  [{ ...aRecord(), deletedDate: "2026-03-14T17:00:00Z" }, "deleted"],
] as const)("tells the state of a record: %#", (record, state) => {
  expect(rowState(record)).toBe(state);
});

it("puts the newest entry first, and of one instant the later record", () => {
  const later = { ...aRecord(), id: 501 };
  const newest = { ...aRecord(), id: 1, inputDate: "2026-03-15T09:00:00Z" };
  expect(newestFirst([aRecord(), later, newest]).map(({ id }) => id)).toEqual([1, 501, 500]);
});

describe("sorting", () => {
  it("compares pieces as numbers", () => {
    const few = { ...aRecord(), quantity: 9 };
    expect(compareBy("quantity", "es")(few, { ...few, quantity: 10 })).toBeLessThan(0);
  });

  it("sorts accented letters where the alphabet has them", () => {
    const named = (productionProcessName: string) => ({ ...aRecord(), productionProcessName });
    const rows = [named("Limado"), named("Ácido"), named("Baño")];
    const sorted = rows.toSorted(compareBy("productionProcessName", "es"));
    expect(sorted.map((row) => row.productionProcessName)).toEqual(["Ácido", "Baño", "Limado"]);
  });

  it("puts empty values last", () => {
    expect([aRecord(), left].toSorted(compareBy("outputDate", "es"))[0]).toBe(left);
  });
});
