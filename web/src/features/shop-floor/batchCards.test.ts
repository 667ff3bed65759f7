import { describe, expect, it } from "vitest";
import { aBatchCard } from "@/testing/batches";
import { aBoard } from "@/testing/floor";
import { aMovement, someInside } from "@/testing/lines";
import { floorOf, viewOf, type Floor } from "./boardView";

describe("a batch inside a process", () => {
  const since = "2026-03-14T15:00:00Z";
  const lineOf = (position: number, ...quantities: number[]) => ({
    ...aMovement().data.line,
    id: position,
    salesOrderId: 1,
    position,
    late: position === 2,
    inside: quantities.map((quantity, index) =>
      someInside({
        quantity,
        since: index === 0 ? since : "2026-03-13T09:00:00Z",
      }),
    ),
    waiting: [],
  });
  const board = (...lines: ReturnType<typeof lineOf>[]) => ({ ...aBoard(), lines });
  const lane = (floor: Floor) => viewOf(floor).lanes[0]!;

  it("is one card with the pieces of all its lines, and counts as they do", () => {
    const view = viewOf(floorOf(board(lineOf(1, 6), lineOf(2, 3)), [aBatchCard()]));
    const [card, ...others] = view.lanes[0]!.cards;
    expect(others).toEqual([]);
    expect(card).toMatchObject({ pieces: 9, quantity: 9, late: true, since });
    expect([view.pieces, view.lateLines]).toEqual([9, 1]);
  });

  it("takes the pieces that entered with it, and leaves those that entered alone", () => {
    const { cards } = lane(floorOf(board(lineOf(1, 6, 4), lineOf(2, 5)), [aBatchCard()]));
    expect(cards.map(({ pieces, recordId }) => [pieces, recordId > 0])).toEqual([
      [9, false],
      [2, true],
      [4, true],
    ]);
  });

  it("is no card before it is moved in, or at another process", () => {
    const lines = board(lineOf(1, 6));
    for (const card of [{ state: "open" as const }, { productionProcessId: 3 }])
      expect(lane(floorOf(lines, [aBatchCard(card)])).cards).toHaveLength(1);
    expect(
      lane(floorOf(lines, [aBatchCard({ state: "open" })])).cards[0]!.recordId,
    ).toBeGreaterThan(0);
  });

  it("stays the same object while nothing of it changes", () => {
    const [card, lines] = [aBatchCard(), board(lineOf(1, 6))];
    const [one, other] = [floorOf(lines, [card]), floorOf({ ...lines }, [card])];
    expect(other.lanes[0]).toBe(one.lanes[0]);
  });
});

it("has one card for each line and process, since the oldest entry that is still inside", () => {
  const inside = [1, 9, 89].map((quantity, minute) =>
    someInside({ quantity, since: `2026-03-14T09:0${minute}:00Z` }),
  );
  const line = { ...aMovement().data.line, inside, waiting: [] };
  const [lane] = floorOf({ ...aBoard(), lines: [line] }).lanes;
  const shown = lane!.cards.map(({ pieces, since }) => [pieces, since]);
  expect(shown).toEqual([[99, "2026-03-14T09:00:00Z"]]);
});
