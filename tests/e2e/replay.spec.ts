/** The replay of a day on the shop floor. */
import type { ProcessRecord, ShopDay, ShopFloor } from "@/contract";
import { floorOf, stateOf, type Floor } from "../../web/src/features/shop-floor/boardView";
import { expect, test } from "./fixtures";

test(
  "the replay of a day agrees with the history at every movement, and with the board at its end",
  { tag: "@alone" },
  async ({ apiOf }) => {
    const admin = await apiOf("admin");
    const [first, second] = await admin.call<{ id: number }[]>(
      "GET",
      "/api/production-processes?status=true",
    );
    const order = await admin.order(12);
    let line = await admin.approve(order.id);
    line = await admin.move("in", line, first!.id, 9);
    line = await admin.move("out", line, first!.id, 5);
    await admin.call(
      "DELETE",
      `/api/sales-order/${order.id}/position/1/production-process/${first!.id}/movement-type/out`,
    );
    await admin.move("in", line, second!.id, 3);
    const day = await admin.call<ShopDay>("GET", "/api/shop-floor/day");
    const board = await admin.call<ShopFloor>("GET", "/api/shop-floor");
    const history = await admin.call<ProcessRecord[]>(
      "GET",
      `/api/sales-order/${order.id}/position/1/history`,
    );

    // A process that other journeys closed since is not on the board any more.
    const onBoard = new Set(board.lanes.map(({ productionProcessId }) => productionProcessId));
    const shown = ({ lanes }: Floor) =>
      Object.fromEntries(
        lanes
          .filter(({ productionProcessId }) => onBoard.has(productionProcessId))
          .filter(({ cards, leftToday }) => cards.length > 0 || leftToday > 0)
          .map((lane) => [
            lane.productionProcessName,
            {
              left: lane.leftToday,
              cards: lane.cards.map(({ recordId, pieces, since, by }) => ({
                recordId,
                pieces,
                since,
                by,
              })),
            },
          ]),
      );
    expect(shown(stateOf(day, Date.parse(day.ends)))).toEqual(shown(floorOf(board)));

    const inside = (instant: number) =>
      new Set(
        stateOf(day, instant).lanes.flatMap(({ cards }) => cards.map(({ recordId }) => recordId)),
      );
    expect(history.length).toBeGreaterThan(1);
    for (const { id, inputDate, outputDate, releasedExits } of history) {
      expect(inside(Date.parse(inputDate) - 1).has(id)).toBe(false);
      expect(inside(Date.parse(inputDate)).has(id)).toBe(true);
      for (const exit of releasedExits) {
        expect(inside(Date.parse(exit.outputDate)).has(id)).toBe(false);
        expect(inside(Date.parse(exit.releasedDate)).has(id)).toBe(true);
      }
      if (outputDate !== null) expect(inside(Date.parse(outputDate)).has(id)).toBe(false);
    }
  },
);
