// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aLine, anOrder } from "@/testing/lines";
import { newLine, twiceIn } from "./lines";
import { conflictsOf, lineChanges, onTopOf, savedLines } from "./savedLines";
import { DATES, each, TEXTS } from "./values";

const may = { ...aLine().actions, edit: true };
const order = (...quantities: number[]) =>
  anOrder({
    items: quantities.map((quantity, place) =>
      aLine({ position: place + 1, itemId: place + 1, quantity, actions: may, notes: "" }),
    ),
  });
const chain = { id: 9, key: "CA-1", name: "Cadena", nameEnglish: "", thumbnail: null };

describe("the saved lines of an order", () => {
  it("are sent with their changed fields only, and new ones whole", () => {
    const before = savedLines(order(3, 5));
    const lines = [
      before[0]!,
      { ...before[1]!, quantity: "8" },
      newLine({ item: chain, quantity: "2" }),
      newLine(),
    ];
    expect(lineChanges(lines, before)).toEqual([
      { position: 2, quantity: 8 },
      {
        itemId: 9,
        quantity: 2,
        ...each(DATES, () => null),
        ...each(TEXTS, () => ""),
      },
    ]);
  });

  it("stay as they are if they are closed", () => {
    const [line] = savedLines(anOrder({ items: [aLine({ actions: { ...may, edit: false } })] }));
    expect(lineChanges([{ ...line!, quantity: "99" }], [line!])).toEqual([]);
  });

  it("do not count as repeated if they are canceled", () => {
    const canceled = aLine({ position: 1, status: "Canceled", itemId: 9 });
    const lines = [...savedLines(anOrder({ items: [canceled] })), newLine({ item: chain })];
    expect(twiceIn(lines).size).toBe(0);
  });
});

describe("two users on one order", () => {
  const before = savedLines(order(3, 5));
  const now = savedLines(order(4, 7, 6));

  it("see the fields that both changed", () => {
    const lines = [before[0]!, { ...before[1]!, quantity: "8" }];
    expect(conflictsOf(lines, before, now)).toEqual([
      { position: 2, field: "quantity", before: "5", now: "7" },
    ]);
    expect(conflictsOf([before[0]!, { ...before[1]!, quantity: "7" }], before, now)).toEqual([]);
  });

  it("keep what they typed, over what the other saved", () => {
    const lines = [
      before[0]!,
      { ...before[1]!, quantity: "8" },
      newLine({ item: chain, quantity: "2" }),
    ];
    const merged = onTopOf(lines, before, now);
    expect(merged.map(({ position, quantity }) => [position, quantity])).toEqual([
      [1, "4"],
      [2, "8"],
      [3, "6"],
      [undefined, "2"],
    ]);
    expect(lineChanges(merged, now)).toHaveLength(2);
  });
});
