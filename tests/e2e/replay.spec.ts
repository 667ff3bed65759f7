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
              cards: lane.cards.map(({ pieces, since, by }) => ({ pieces, since, by })),
            },
          ]),
      );
    expect(shown(stateOf(day, Date.parse(day.ends)))).toEqual(shown(floorOf(board)));

    const replayed = (instant: number) =>
      stateOf(day, instant).lanes.flatMap(({ productionProcessId, cards }) =>
        cards
          .filter(({ salesOrderId }) => salesOrderId === order.id)
          .map(({ pieces }) => [productionProcessId, pieces]),
      );
    const remembered = (instant: number) =>
      [first!.id, second!.id].flatMap((process) => {
        const here = history.filter(({ productionProcessId }) => productionProcessId === process);
        const inside = here.filter((record) => wasInside(record, instant));
        const pieces = inside.reduce((sum, { quantity }) => sum + quantity, 0);
        return pieces === 0 ? [] : [[process, pieces]];
      });
    const instants = history.flatMap((record) => [record.inputDate, ...endsOf(record)]);
    expect(instants.length).toBeGreaterThan(4);
    for (const instant of instants.flatMap((one) => [Date.parse(one) - 1, Date.parse(one)]))
      expect(replayed(instant)).toEqual(remembered(instant));
  },
);

/** When the pieces of a record left, came back because that was taken back, and left again. */
const endsOf = ({ releasedExits, outputDate }: ProcessRecord) => [
  ...releasedExits.flatMap((exit) => [exit.outputDate, exit.releasedDate]),
  ...(outputDate === null ? [] : [outputDate]),
];

/** Whether the pieces were inside: they came in, and then left and came back by turns. */
function wasInside(record: ProcessRecord, instant: number): boolean {
  const before = [record.inputDate, ...endsOf(record)].filter((one) => Date.parse(one) <= instant);
  return before.length % 2 === 1;
}
