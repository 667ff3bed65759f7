import { beforeEach, describe, expect, it } from "vitest";
import type { LiveEvent, Station } from "@/contract";
import {
  BILL,
  BOARD,
  HISTORY,
  keyOf,
  LINE,
  listKeyOf,
  ORDER,
  ORDERS,
  STATION,
} from "@/shared/http/keys";
import { forgetDocuments } from "@/shared/http/store";
import { holdProcesses } from "@/entities/processes";
import { storeSession } from "@/shared/session/session";
import { aBill } from "@/testing/bills";
import { aSession } from "@/testing/builders";
import { aBoard, aStation } from "@/testing/floor";
import {
  aLine,
  aMovement,
  anOrder,
  anUndo,
  PLANT,
  aRecord,
  aSummary,
  someInside,
  someWaiting,
} from "@/testing/lines";
import { applicationOf } from "./apply";
import { afterEvent } from "./testing";

const PLACE = { path: { order_id: 1, position: 1 } };
const LINE_1 = keyOf(LINE, PLACE);

beforeEach(() => {
  storeSession(aSession());
  forgetDocuments();
  holdProcesses(PLANT);
});

describe("a document that an event carries", () => {
  const rows = <T>(...all: T[]) => ({ rows: all, total: all.length, exact: true, next: null });
  const ORDER_1 = keyOf(ORDER, { path: { order_id: 1 } });

  const { data } = aMovement();
  const changed: LiveEvent = {
    id: 100,
    at: "",
    by: null,
    type: "order.changed",
    data: {
      ...aSummary(),
      version: 2,
      revision: 3,
      notes: "Urge",
      offers: { delete: true },
      lines: [data.line],
    },
  };

  it("replaces an older order, with the user's actions", () => {
    storeSession(aSession({ permissions: ["UpdateSalesOrder"] }));
    const list = rows(aSummary(), aSummary({ id: 2 }));
    expect(afterEvent(changed, listKeyOf(ORDERS), list)).toEqual(
      rows(
        expect.objectContaining({ notes: "Urge", actions: { edit: true, delete: false } }),
        expect.objectContaining(aSummary({ id: 2 })),
      ),
    );
    const order = afterEvent(changed, ORDER_1, anOrder());
    expect(order).toMatchObject({ notes: "Urge", version: 2, items: [{ quantityInside: 10 }] });
    expect(afterEvent(changed, LINE_1, aLine())).toMatchObject({ quantityInside: 10 });
    expect(afterEvent(changed, keyOf(BOARD), aBoard())).toMatchObject({ lines: [{ id: 11 }] });
  });

  it("changes nothing if the cached version is newer", () => {
    expect(
      afterEvent(changed, listKeyOf(ORDERS), rows(aSummary({ version: 3, revision: 4 }))),
    ).toMatchObject({ rows: [{ notes: "", version: 3 }] });
    expect(afterEvent(aMovement(), LINE_1, aLine({ version: 6 }))).toMatchObject({
      quantityInside: 0,
    });
  });

  it("replaces a bill, with the user's actions", () => {
    storeSession(aSession({ permissions: ["CancelDelivery", "ReportListBills"] }));
    const { actions: _own, ...document } = aBill({ id: 1, version: 2, status: "Billed" });
    const event: LiveEvent = {
      id: 100,
      at: "",
      by: null,
      type: "delivery.changed",
      data: { id: 1, customerId: 1, status: "Billed", bill: document },
    };
    const actions = { edit: false, bill: false, cancel: true, numbers: false, print: true };
    const now = { status: "Billed", version: 2, actions };
    expect(
      afterEvent(event, keyOf(BILL, { path: { delivery_id: 1 } }), aBill({ id: 1 })),
    ).toMatchObject(now);
  });

  it("updates the pieces inside a line, and its records if the event carries them", () => {
    const moved = aMovement({}, { records: [aRecord()] });
    expect(afterEvent(moved, LINE_1, aLine({ measures: "10 mm" }))).toMatchObject({
      status: "InProcess",
      salesOrderStatusName: "InProcess",
      quantityInside: 10,
      measures: "10 mm",
      productionProcesses: [aRecord()],
    });
    forgetDocuments();
    expect(afterEvent(aMovement(), LINE_1, aLine())).toMatchObject({ productionProcesses: [] });
    expect(afterEvent(moved, keyOf(HISTORY, PLACE), [])).toEqual([aRecord()]);
  });

  it("updates a line's order and the list of orders", () => {
    expect(afterEvent(aMovement(), ORDER_1, anOrder())).toMatchObject({
      status: "InProcess",
      progress: 0.5,
      items: [{ status: "InProcess" }],
    });
    expect(afterEvent(aMovement(), listKeyOf(ORDERS), rows(aSummary()))).toMatchObject({
      rows: [{ status: "InProcess", progress: 0.5 }],
    });
  });

  it("offers what the user's rights and processes allow, and to undo only their own movements", () => {
    const user = { ...aSession().user, productionProcessIds: [2] };
    storeSession(
      aSession({
        user,
        permissions: ["SalesOrderPositionProcessOut", "UpdateSalesOrderPositionStatus"],
      }),
    );
    const { until: _until, ...undo } = anUndo();
    const until = new Date(Date.now() + 60_000).toISOString();
    const mine = { ...undo, until, side: "out" as const, byId: user.id, handedOver: false };
    const { offers } = data.line;
    const moved = aMovement({ offers: { ...offers, undo: [mine, { ...mine, byId: 8 }] } });
    const { actions } = afterEvent(moved, LINE_1, aLine());
    expect(actions.statuses).toEqual(["Canceled"]);
    expect(actions.movements.map(({ type, maxQuantity }) => [type, maxQuantity])).toEqual([
      ["out", 10],
    ]);
    expect(actions.undo).toEqual([{ ...undo, until, side: "out" }]);
    expect(actions.edit).toBe(false);
  });

  it("keeps the processes that a customer's account has loaded, as the event does not name them", () => {
    const session = aSession();
    storeSession({ ...session, user: { ...session.user, userType: "Customer" } });
    const named = { productionProcessName: "Vaciado", productionProcessNameEnglish: "Casting" };
    const inside = [{ ...someInside({ quantity: 4 }), ...named }];
    const now = afterEvent(aMovement(), LINE_1, aLine({ inside }));
    expect(now).toMatchObject({ status: "InProcess", inside });
    expect(applicationOf(aMovement()).stale?.some((covers) => covers(LINE_1))).toBe(true);
  });
});

describe("a station", () => {
  const KEY = keyOf(STATION, { path: { process_id: 2 } });
  const { offers } = aMovement().data.line;
  const free = { ...offers, in: [{ maxQuantity: 10, productionProcessIds: null }], out: [] };
  const waiting = (id: number, deliveryDate: string | null = null) =>
    aMovement({ id, inside: [], waiting: [someWaiting()], offers: free, deliveryDate });
  const ids = (lines: readonly { id: number }[]) => lines.map(({ id }) => id);

  it("gains a line that may enter, and lists it as inside once it entered", () => {
    const before = afterEvent(waiting(1), KEY, aStation());
    expect([ids(before.queue), ids(before.inside)]).toEqual([[1], []]);
    const entered = aMovement({ id: 1, version: 6 });
    const now = afterEvent(entered, KEY, before);
    expect(ids(now.inside)).toEqual([1]);
    expect(now.queue[0]?.offers.in).toEqual([]);
    expect(ids(afterEvent(entered, KEY, now).inside)).toEqual([1]);
  });

  it("sorts the queue by due date, lines without one last", () => {
    const dates = ["2026-03-20", "2026-03-10", null, "2026-03-15"];
    const found = dates.reduce<Station>(
      (kept, date, id) => afterEvent(waiting(id + 1, date), KEY, kept),
      aStation(),
    );
    expect(ids(found.queue)).toEqual([2, 4, 1, 3]);
  });

  it("is unchanged by a line that is neither inside nor may enter", () => {
    const elsewhere = aMovement({
      inside: [someInside({ productionProcessId: 3 })],
      offers: { ...offers, out: [] },
    });
    const station = aStation();
    expect(afterEvent(elsewhere, KEY, station)).toBe(station);
  });

  it("lists a movement in its process once, with the user who made it", () => {
    const event = aMovement({ inside: [] }, { record: aRecord(), records: [aRecord()] });
    const once = afterEvent(event, KEY, aStation());
    expect(once.recent).toMatchObject([{ type: "in", pieces: 10, byId: 8, recordId: 500 }]);
    expect(afterEvent(event, KEY, once).recent).toHaveLength(1);
    const lost = { ...aRecord(), outputDate: "2026-03-14T16:00:00Z", scrapReason: "broken" };
    const scrapped = aMovement({ inside: [] }, { record: lost, records: [lost] });
    const after = afterEvent(scrapped, KEY, aStation());
    expect(after.recent).toMatchObject([{ type: "scrap", pieces: 10, recordId: 500 }]);
    const other = aStation({
      process: { productionProcessId: 3, productionProcessName: "Lijado", active: true },
    });
    expect(afterEvent(event, KEY, other)).toBe(other);
  });
});
