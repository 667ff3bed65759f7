// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { ShopDay, ShopFloorCard } from "@/contract";
import { stateOf } from "./boardView";

const BEGINS = Date.parse("2026-03-14T06:00:00Z");
const at = (minute: number) => new Date(BEGINS + minute * 60_000).toISOString();

function aCard(recordId: number, minute: number, pieces = 4): ShopFloorCard {
  return {
    recordId,
    salesOrderId: 1,
    position: 1,
    customerSalesOrderId: "PO-1",
    customerName: "Platería Norte",
    itemId: 3,
    itemName: "Anillo",
    image: null,
    pieces,
    quantity: 10,
    since: at(minute),
    by: "Luis Vega",
    deliveryDate: null,
    late: false,
  };
}

function aDay(start: ShopFloorCard[], movements: ShopDay["movements"]): ShopDay {
  const lane = (productionProcessId: number, cards: ShopFloorCard[]) => ({
    productionProcessId,
    productionProcessName: `P${productionProcessId}`,
    order: productionProcessId,
    usualSeconds: null,
    piecesADay: null,
    cards,
  });
  return {
    date: "2026-03-14",
    begins: at(0),
    ends: at(1_440),
    start: [lane(2, start), lane(3, [])],
    movements,
  };
}

type Movement = ShopDay["movements"][number];
const move = (
  minute: number,
  type: Movement["type"],
  card: ShopFloorCard,
  productionProcessId = 2,
): Movement => ({ at: at(minute), type, productionProcessId, by: "Luis Vega", card });

const seen = (day: ShopDay, minute: number) =>
  stateOf(day, BEGINS + minute * 60_000).lanes.map(({ cards, leftToday }) => [
    cards.map(({ recordId }) => recordId),
    leftToday,
  ]);

describe("a replay", () => {
  const night = aCard(1, -60, 6);
  const day = aDay(
    [night],
    [
      move(10, "out", night),
      move(20, "in", aCard(2, 20, 6), 3),
      move(30, "returned", night),
      move(40, "removed", aCard(2, 20, 6), 3),
    ],
  );

  it("shows what was inside at each minute, and what had left since midnight", () => {
    expect(seen(day, 9)).toEqual([
      [[1], 0],
      [[], 0],
    ]);
    expect(seen(day, 10)).toEqual([
      [[], 6],
      [[], 0],
    ]);
    expect(seen(day, 25)).toEqual([
      [[], 6],
      [[2], 0],
    ]);
    expect(seen(day, 30)).toEqual([
      [[1], 0],
      [[2], 0],
    ]);
    expect(seen(day, 1_000)).toEqual([
      [[1], 0],
      [[], 0],
    ]);
  });

  it("can go backwards, and does not change the day", () => {
    const before = structuredClone(day);
    expect([seen(day, 1_000), seen(day, 9)]).toEqual([seen(day, 1_000), seen(before, 9)]);
    expect(day).toEqual(before);
  });

  it("does not count the exit of a record that was released as a whole", () => {
    const card = aCard(1, 0, 6);
    const released = aDay(
      [],
      [move(1, "in", card), move(2, "out", card), move(3, "removed", card)],
    );
    expect([seen(released, 2)[0], seen(released, 3)[0]]).toEqual([
      [[], 6],
      [[], 0],
    ]);
  });

  it("does not subtract from today's exits if yesterday's exit is taken back", () => {
    const yesterdays = aDay([], [move(5, "returned", night)]);
    expect(seen(yesterdays, 5)[0]).toEqual([[1], 0]);
  });
});

/** Pseudo-random numbers, the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

describe("a replay of many movements", () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
    "agrees with a plain count of each record (%i)",
    (seed) => {
      const roll = dice(seed);
      const cards = new Map<number, { card: ShopFloorCard; process: number }>();
      const outs = new Map<number, { card: ShopFloorCard; process: number; today: boolean }>();
      const start: ShopFloorCard[] = [];
      for (let id = 1; id <= roll(5); id += 1) start.push(aCard(id, -roll(300), 1 + roll(9)));
      for (const card of start) cards.set(card.recordId, { card, process: 2 });
      const movements: Movement[] = [];
      for (let minute = 1; minute < 60; minute += 1) {
        const inside = [...cards.values()];
        const chosen = inside[roll(inside.length)];
        const back = [...outs.values()][roll(outs.size)];
        const act = roll(4);
        if (act === 0 || (chosen === undefined && back === undefined)) {
          const one = { card: aCard(100 + minute, minute, 1 + roll(9)), process: 2 + roll(2) };
          cards.set(one.card.recordId, one);
          movements.push(move(minute, "in", one.card, one.process));
        } else if (act === 3 && back !== undefined) {
          outs.delete(back.card.recordId);
          cards.set(back.card.recordId, back);
          movements.push(move(minute, "returned", back.card, back.process));
        } else if (chosen !== undefined) {
          cards.delete(chosen.card.recordId);
          if (act === 1) outs.set(chosen.card.recordId, { ...chosen, today: true });
          movements.push(move(minute, act === 1 ? "out" : "removed", chosen.card, chosen.process));
        }
      }
      const { lanes } = stateOf(aDay(start, movements), BEGINS + 1_440 * 60_000);
      for (const { productionProcessId: process, cards: shown, leftToday } of lanes) {
        const expected = [...cards.values()].filter((one) => one.process === process);
        expect(shown.map(({ recordId }) => recordId).toSorted()).toEqual(
          expected.map(({ card }) => card.recordId).toSorted(),
        );
        const gone = [...outs.values()].filter((one) => one.process === process);
        expect(leftToday).toBe(gone.reduce((sum, { card }) => sum + card.pieces, 0));
      }
    },
  );
});
