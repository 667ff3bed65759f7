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

  it("takes what is named and lets it go again", () => {
    const held = choose(NONE, list, ["1", "3"]);
    expect(keysOf(held)).toEqual(["1", "3"]);
    expect(keysOf(choose(held, list, ["3"]))).toEqual(["3"]);
  });

  it("keeps what a filter hides, and says that it is outside", () => {
    const held = choose(NONE, list, ["1", "2"]);
    const narrowed = shown("beto", true, row(4));
    const both = choose(held, narrowed, ["4"]);
    expect(keysOf(both)).toEqual(["1", "2", "4"]);
    expect(outside(both, narrowed)).toEqual(["1", "2"]);
    expect(outside(both, list)).toEqual(["4"]);
  });

  it("says what no longer matches once the list was loaded again", () => {
    const held = choose(NONE, list, ["1", "2"]);
    const reloaded = shown("", true, row(2), row(3));
    expect(keysOf(follow(held, reloaded))).toEqual(["1", "2"]);
    expect(outside(held, reloaded)).toEqual(["1"]);
  });

  it("takes what lies beyond the loaded rows for part of its list, until all is loaded", () => {
    const all = shown("", true, row(1), row(2), row(3), row(4));
    const held = choose(NONE, all, ["1", "2", "3", "4"]);
    expect(outside(held, shown("", false, row(1), row(2)))).toEqual([]);
    expect(outside(held, shown("other", false, row(1)))).toEqual(["2", "3", "4"]);
  });

  it("follows what changed in a chosen row, and gains none", () => {
    const held = choose(NONE, list, ["1"]);
    const now = follow(held, shown("", true, row(1, 7), row(2), row(5)));
    expect([...now].map(([key, chosen]) => [key, chosen.row.left])).toEqual([["1", 7]]);
  });

  it("is the same where nothing that is chosen changed", () => {
    const held = choose(NONE, list, ["1"]);
    expect(follow(held, list)).toBe(held);
  });
});
