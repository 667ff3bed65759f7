// @vitest-environment node
import { describe, expect, it } from "vitest";
import { choose, follow, outside, type Held, type Shown } from "./selection";

interface Row {
  id: number;
  left: number;
}
const NONE: Held<Row> = new Map();
const row = (id: number, left = 1): Row => ({ id, left });
const shown = (list: string, whole: boolean, ...rows: Row[]): Shown<Row> => ({
  rows,
  list,
  whole,
  keyOf: ({ id }) => String(id),
});
const keysOf = (held: Held<Row>) => [...held.keys()];

describe("a selection", () => {
  const list = shown("", true, row(1), row(2), row(3));

  it("adds and removes the named rows", () => {
    const held = choose(NONE, list, ["1", "3"]);
    expect(keysOf(held)).toEqual(["1", "3"]);
    expect(keysOf(choose(held, list, ["3"]))).toEqual(["3"]);
  });

  it("keeps rows that a filter hides, and reports them as outside", () => {
    const held = choose(NONE, list, ["1", "2"]);
    const narrowed = shown("beto", true, row(4));
    const both = choose(held, narrowed, ["4"]);
    expect(keysOf(both)).toEqual(["1", "2", "4"]);
    expect(outside(both, narrowed)).toEqual(["1", "2"]);
    expect(outside(both, list)).toEqual(["4"]);
  });

  it("reports rows that no longer match after a reload as outside", () => {
    const held = choose(NONE, list, ["1", "2"]);
    const reloaded = shown("", true, row(2), row(3));
    expect(keysOf(follow(held, reloaded))).toEqual(["1", "2"]);
    expect(outside(held, reloaded)).toEqual(["1"]);
  });

  it("assumes that rows beyond the loaded ones still match, until all rows are loaded", () => {
    const all = shown("", true, row(1), row(2), row(3), row(4));
    const held = choose(NONE, all, ["1", "2", "3", "4"]);
    expect(outside(held, shown("", false, row(1), row(2)))).toEqual([]);
    expect(outside(held, shown("other", false, row(1)))).toEqual(["2", "3", "4"]);
  });

  it("updates selected rows, and adds none", () => {
    const held = choose(NONE, list, ["1"]);
    const now = follow(held, shown("", true, row(1, 7), row(2), row(5)));
    expect([...now].map(([key, chosen]) => [key, chosen.row.left])).toEqual([["1", 7]]);
  });

  it("is the same object if no selected row changed", () => {
    const held = choose(NONE, list, ["1"]);
    expect(follow(held, list)).toBe(held);
  });
});
