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
    itemNameEnglish: "",
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

/** A movement after which `inside` pieces are inside the process, and `leftToday` have left it. */
function move(
  minute: number,
  type: Movement["type"],
  card: ShopFloorCard,
  [inside, leftToday]: readonly [number, number],
  productionProcessId = 2,
): Movement {
  return {
    press: null,
    lines: 1,
    at: at(minute),
    type,
    productionProcessId,
    by: "Luis Vega",
    pieces: card.pieces,
    recordId: card.recordId,
    card,
    inside,
    leftToday,
  };
}

const seen = (day: ShopDay, minute: number) =>
  stateOf(day, BEGINS + minute * 60_000).lanes.map(({ cards, leftToday }) => [
    cards.map(({ position, pieces }) => `${position}: ${pieces}`),
    leftToday,
  ]);

describe("a replay", () => {
  const night = aCard(1, -60, 6);
  const other = { ...aCard(3, 25, 2), position: 2 };
  const day = aDay(
    [night],
    [
      move(10, "out", { ...night, pieces: 4 }, [2, 4]),
      move(20, "in", aCard(2, 20, 4), [4, 0], 3),
      move(25, "in", other, [2, 0]),
      move(30, "removed", aCard(2, 20, 4), [0, 0], 3),
      move(40, "returned", { ...night, pieces: 4 }, [6, 0]),
      move(50, "scrap", other, [0, 0]),
    ],
  );

  it.each([
    [9, [["1: 6"], 0], [[], 0]],
    [10, [["1: 2"], 4], [[], 0]],
    [20, [["1: 2"], 4], [["1: 4"], 0]],
    [25, [["1: 2", "2: 2"], 4], [["1: 4"], 0]],
    [30, [["1: 2", "2: 2"], 4], [[], 0]],
    [40, [["1: 6", "2: 2"], 0], [[], 0]],
    [1_000, [["1: 6"], 0], [[], 0]],
  ])("has a card for each line inside, and what has left, at minute %i", (minute, ...lanes) => {
    expect(seen(day, minute)).toEqual(lanes);
  });

  it("can go backwards, and does not change the day", () => {
    const before = structuredClone(day);
    expect([seen(day, 1_000), seen(day, 9)]).toEqual([seen(day, 1_000), seen(before, 9)]);
    expect(day).toEqual(before);
  });
});
