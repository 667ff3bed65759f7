import { beforeEach, describe, expect, it } from "vitest";
import type { LiveEvent, LiveEventOf, OrderEvent, Station } from "@/contract";
import {
  BILL,
  BILLABLE,
  BOARD,
  EARNINGS,
  HISTORY,
  keyOf,
  LINE,
  LINES,
  listKeyOf,
  ORDER,
  ORDERS,
  OWN_PROCESSES,
  PAYABLES,
  PAYMENT,
  PAYMENTS,
  REPORT,
  REPORT_OF_CUSTOMER,
  STATION,
  TODAY,
  UNREAD,
  type Key,
} from "@/shared/http/keys";
import { forgetDocuments, put, take, view } from "@/shared/http/store";
import { storeSession } from "@/shared/session/session";
import { aNotification, aSession } from "@/testing/builders";
import { aBill } from "@/testing/bills";
import {
  aBoard,
  aLine,
  aMovement,
  anOrder,
  anUndo,
  aRecord,
  aStation,
  aSummary,
  someInside,
} from "@/testing/lines";
import { applicationOf } from "./apply";
import { storePass } from "@/shared/picture/pass";

const line = (position: number) => ({ path: { order_id: 1, position } });
const LINE_1 = keyOf(LINE, line(1));

const KEYS: Record<string, Key> = {
  processes: listKeyOf("/api/production-processes"),
  customers: listKeyOf("/api/customers"),
  items: listKeyOf("/api/items"),
  "an item": keyOf("/api/items/{entry_id}", { path: { entry_id: 1 } }),
  orders: listKeyOf(ORDERS),
  "order 1": keyOf(ORDER, { path: { order_id: 1 } }),
  "order 2": keyOf(ORDER, { path: { order_id: 2 } }),
  lines: listKeyOf(LINES),
  "line 1": LINE_1,
  "line 2": keyOf(LINE, line(2)),
  "history 1": keyOf(HISTORY, line(1)),
  board: keyOf(BOARD),
  "own processes": keyOf(OWN_PROCESSES),
  bills: listKeyOf("/api/deliveries/search"),
  "bill 1": keyOf(BILL, { path: { delivery_id: 1 } }),
  "bill 2": keyOf(BILL, { path: { delivery_id: 2 } }),
  billable: listKeyOf(BILLABLE, { query: { customerId: 1 } }),
  payables: listKeyOf(PAYABLES),
  payments: listKeyOf(PAYMENTS),
  "payment 1": keyOf(PAYMENT, { path: { payment_id: 1 } }),
  earnings: keyOf(EARNINGS),
  today: keyOf(TODAY),
  unread: keyOf(UNREAD),
  webhooks: listKeyOf("/api/webhooks"),
};

const named = (covers: (key: Key) => boolean) =>
  Object.entries(KEYS)
    .filter(([, key]) => covers(key))
    .map(([name]) => name);

/** The answers that an event makes stale. */
const stale = (event: LiveEvent) =>
  named((key) => applicationOf(event).stale?.some((covers) => covers(key)) === true);

/** An answer as the event leaves it, its documents with it. */
function after<T extends object>(event: LiveEvent, key: Key, kept: T): T {
  const { documents = [], lists = [] } = applicationOf(event);
  take(kept);
  put(documents);
  return lists
    .filter(({ covers }) => covers(key))
    .reduce<T>((now, { change }) => change(now) as T, view(kept));
}

const HEAD = { id: 1, at: "", by: null };
const orderData = (id: number) => {
  const { actions: _, ...document } = aSummary({ id });
  return { ...document, lines: null };
};
const orderChanged: OrderEvent = { ...HEAD, type: "order.changed", data: orderData(1) };
const billChanged: LiveEventOf<"delivery.changed"> = {
  ...HEAD,
  type: "delivery.changed",
  data: { id: 1, customerId: 1, status: "Billed", bill: null },
};
const catalogChanged = (
  catalog: "items" | "production-processes" | "service-accounts",
): LiveEvent => ({
  ...HEAD,
  type: "catalog.changed",
  data: { id: 1, catalog, change: "changed" },
});

const signedInAs = (id: number) => storeSession(aSession({ user: { ...aSession().user, id } }));
beforeEach(() => {
  signedInAs(7);
  forgetDocuments();
});

describe("the table of what an event does", () => {
  it.each([
    aMovement(),
    { ...aMovement(), type: "line.status-changed" } as const,
    { ...HEAD, type: "order.created", data: orderData(1) } as const,
    billChanged,
  ])("$type makes the dashboard and the reports stale", (event) => {
    const days = { from: "2026-03-01", to: "2026-03-31" };
    const statuses =
      "/api/reports/sales-orders/aggregate/status/start-date/{start_date}/end-date/{end_date}";
    for (const key of [
      keyOf(statuses, { path: { start_date: days.from, end_date: days.to } }),
      listKeyOf(REPORT),
      listKeyOf(REPORT_OF_CUSTOMER),
      keyOf("/api/reports/flow", { query: days }),
      keyOf("/api/reports/releases", { query: days }),
    ]) {
      expect(applicationOf(event).stale?.some((covers) => covers(key))).toBe(true);
    }
  });

  it.each(["line.moved", "line.released", "line.status-changed", "line.changed"] as const)(
    "%s makes lists stale, and the line and its order only where it may be another product",
    (type) => {
      const changed = type === "line.changed";
      expect(stale({ ...aMovement(), type })).toEqual([
        "orders",
        ...(changed ? ["order 1"] : []),
        "lines",
        ...(changed ? ["line 1"] : []),
        "own processes",
        "billable",
        "payables",
        ...(type === "line.released" ? ["earnings"] : []),
        "today",
      ]);
    },
  );

  it("line.moved makes my earnings stale where I moved it, or somebody it does not name", () => {
    const earns = (by: { id: number; fullName: string } | null) =>
      stale({ ...aMovement(), by }).includes("earnings");
    expect([earns({ id: 7, fullName: "" }), earns({ id: 8, fullName: "" })]).toEqual([true, false]);
    expect(earns(null)).toBe(true);
  });

  it("delivery.changed loads every bill and what is left to bill; its lines have their own events", () => {
    expect(stale(billChanged)).toEqual(["bills", "bill 1", "bill 2", "billable"]);
  });

  it.each([{ ...HEAD, type: "order.created", data: orderData(1) } as const, orderChanged])(
    "$type loads the lines, since it may carry none of them",
    (event) => {
      expect(stale(event)).toEqual(expect.arrayContaining(["lines", "order 1"]));
    },
  );

  it("order.changed leaves other orders alone, and boards to board.changed", () => {
    const loaded = stale(orderChanged);
    expect(loaded).toEqual(expect.arrayContaining(["order 1", "line 2"]));
    expect(loaded).not.toContain("order 2");
    expect(loaded).not.toContain("board");
  });

  it.each<[LiveEvent, string[]]>([
    [
      {
        ...HEAD,
        type: "payment.changed",
        data: { id: 1, status: null, payment: null, salesOrderIds: [1] },
      },
      ["order 1", "lines", "line 1", "line 2", "history 1", "payables", "payments", "payment 1"],
    ],
    [{ ...HEAD, type: "earnings.changed", data: { id: 7 } }, ["earnings"]],
    [catalogChanged("items"), ["items", "an item"]],
    [catalogChanged("production-processes"), ["processes", "board", "own processes"]],
    [catalogChanged("service-accounts"), ["webhooks"]],
    [{ ...HEAD, type: "session.ended", data: { id: 1, jti: null } }, []],
  ])("%j loads %j", (event, loaded) => {
    expect(stale(event)).toEqual(loaded);
    expect(applicationOf(event).documents ?? []).toEqual([]);
  });
});

describe("unread notifications", () => {
  const notification = (id: number, salesOrderId: number) =>
    aNotification({ salesOrderId, deliveryDate: "2026-03-04" }, { id });
  const unread = [notification(1, 10), notification(2, 20)];
  const UNREAD_KEY = keyOf(UNREAD);
  const created: LiveEvent = {
    ...HEAD,
    type: "notification.created",
    data: notification(3, 30),
  };
  beforeEach(() => storeSession(aSession({ permissions: ["ListOrders", "UpdateSalesOrder"] })));

  it("gain what is pushed, once, and lose what was read or is over", () => {
    const three = after(created, UNREAD_KEY, unread);
    expect(three).toEqual([...unread, notification(3, 30)]);
    expect(after(created, UNREAD_KEY, three)).toEqual(three);
    const data = { kind: "notification", id: 1 } as const;
    for (const type of ["notification.read", "notification.ended"] as const) {
      expect(after({ ...HEAD, type, data }, UNREAD_KEY, unread)).toEqual([notification(2, 20)]);
    }
  });

  it("say what became of them", () => {
    const moved = aNotification({ salesOrderId: 10, deliveryDate: "2026-03-09" }, { version: 2 });
    const changed: LiveEvent = { ...HEAD, type: "notification.changed", data: moved };
    expect(after(changed, UNREAD_KEY, unread)).toEqual([moved, notification(2, 20)]);
  });

  it("gain nothing that is somebody else's to see to", () => {
    const inside = aNotification({ productionProcessId: 2, productionProcessName: "Fundición" });
    const event: LiveEvent = { ...HEAD, type: "notification.created", data: inside };
    const worker = (...productionProcessIds: number[]) =>
      storeSession(
        aSession({
          user: { ...aSession().user, productionProcessIds },
          permissions: ["ListOrders", "Station"],
        }),
      );
    worker(1);
    expect(after(event, UNREAD_KEY, [])).toEqual([]);
    worker(1, 2);
    expect(after(event, UNREAD_KEY, [])).toEqual([inside]);
  });

  it("are never asked for again because of an event", () => {
    for (const event of [aMovement(), orderChanged, billChanged, created]) {
      expect(stale(event)).not.toContain("unread");
    }
  });
});

describe("a document that an event brings", () => {
  const rows = <T>(...all: T[]) => ({ rows: all, total: all.length, exact: true, next: null });
  const ORDER_1 = keyOf(ORDER, { path: { order_id: 1 } });

  const { data } = aMovement();
  const changed: LiveEvent = {
    ...orderChanged,
    id: 100,
    data: {
      ...orderChanged.data,
      version: 2,
      revision: 3,
      notes: "Urge",
      offers: { delete: true },
      lines: [data.line],
    },
  };

  it("takes the place of an older one, with what the person may do of it", () => {
    storeSession(aSession({ permissions: ["UpdateSalesOrder"] }));
    const list = rows(aSummary(), aSummary({ id: 2 }));
    expect(after(changed, listKeyOf(ORDERS), list)).toEqual(
      rows(
        expect.objectContaining({ notes: "Urge", actions: { edit: true, delete: false } }),
        aSummary({ id: 2 }),
      ),
    );
    const order = after(changed, ORDER_1, anOrder());
    expect(order).toMatchObject({ notes: "Urge", version: 2, items: [{ quantityInside: 10 }] });
    expect(after(changed, LINE_1, aLine())).toMatchObject({ quantityInside: 10 });
    expect(after(changed, keyOf(BOARD), aBoard())).toMatchObject({ lines: [{ id: 11 }] });
  });

  it("changes nothing where what is kept is newer", () => {
    expect(
      after(changed, listKeyOf(ORDERS), rows(aSummary({ version: 3, revision: 4 }))),
    ).toMatchObject({ rows: [{ notes: "", version: 3 }] });
    expect(after(aMovement(), LINE_1, aLine({ version: 6 }))).toMatchObject({ quantityInside: 0 });
  });

  it("is a bill's: nothing of it is asked again, but what others have left of its lines is", () => {
    storeSession(aSession({ permissions: ["CancelDelivery", "ReportListBills"] }));
    const { actions: _, ...document } = aBill({ id: 1, version: 2, status: "Billed" });
    const event: LiveEvent = {
      ...billChanged,
      data: { id: 1, customerId: 1, status: "Billed", bill: document },
    };
    const actions = { edit: false, bill: false, cancel: true, numbers: false, print: true };
    const now = { status: "Billed", version: 2, actions };
    expect(after(event, KEYS["bill 1"]!, aBill({ id: 1 }))).toMatchObject(now);
    expect(stale(event)).toEqual(["bills", "bill 2", "billable"]);
  });

  it("is a line's: what is inside for everybody, records for who may read the history", () => {
    const moved = aMovement({}, { records: [aRecord()] });
    expect(after(moved, LINE_1, aLine({ measures: "10 mm" }))).toMatchObject({
      status: "InProcess",
      salesOrderStatusName: "InProcess",
      quantityInside: 10,
      measures: "10 mm",
      productionProcesses: [aRecord()],
    });
    forgetDocuments();
    expect(after(aMovement(), LINE_1, aLine())).toMatchObject({ productionProcesses: [] });
    expect(after(moved, KEYS["history 1"]!, [])).toEqual([aRecord()]);
  });

  it("is a line's, with the head of its order", () => {
    expect(after(aMovement(), ORDER_1, anOrder())).toMatchObject({
      status: "InProcess",
      progress: 0.5,
      items: [{ status: "InProcess" }],
    });
    expect(after(aMovement(), listKeyOf(ORDERS), rows(aSummary()))).toMatchObject({
      rows: [{ status: "InProcess", progress: 0.5 }],
    });
  });

  it("offers what the person's rights and processes allow, and to undo what is their own", () => {
    const user = { ...aSession().user, productionProcessIds: [2] };
    storeSession(
      aSession({
        user,
        permissions: ["SalesOrderPositionProcessOut", "UpdateSalesOrderPositionStatus"],
      }),
    );
    const { until: _, ...undo } = anUndo();
    const until = new Date(Date.now() + 60_000).toISOString();
    const mine = { ...undo, until, side: "out" as const, byId: user.id, handedOver: false };
    const { offers } = data.line;
    const moved = aMovement({ offers: { ...offers, undo: [mine, { ...mine, byId: 8 }] } });
    const { actions } = after(moved, LINE_1, aLine());
    expect(actions.statuses).toEqual(["Canceled"]);
    expect(actions.movements.map(({ type, maxQuantity }) => [type, maxQuantity])).toEqual([
      ["out", 10],
    ]);
    expect(actions.undo).toEqual([{ ...undo, until, side: "out" }]);
    expect(actions.edit).toBe(false);
  });

  it("has pictures that this session opens", () => {
    storePass("p=1");
    const moved = aMovement({ image: "/api/images/ring.jpeg" });
    expect(after(moved, LINE_1, aLine()).image).toBe("/api/images/ring.jpeg?p=1");
    expect(after(moved, LINE_1, aLine()).thumbnail).toBeNull();
  });
});

describe("a station", () => {
  const casting = { productionProcessId: 2, productionProcessName: "Vaciado" };
  const KEY = keyOf(STATION, { path: { process_id: 2 } });
  const { offers } = aMovement().data.line;
  const free = { ...offers, in: [{ ...casting, maxQuantity: 10 }], out: [] };
  const waiting = (id: number, deliveryDate: string | null = null) =>
    aMovement({ id, inside: [], offers: free, deliveryDate });
  const ids = (lines: readonly { id: number }[]) => lines.map(({ id }) => id);

  it("gains a line that may enter, then one that is inside", () => {
    const before = after(waiting(1), KEY, aStation());
    expect([ids(before.queue), ids(before.inside)]).toEqual([[1], []]);
    const entered = aMovement({ id: 1, version: 6 });
    const now = after(entered, KEY, before);
    expect(ids(now.inside)).toEqual([1]);
    expect(now.queue[0]?.offers.in).toEqual([]);
    expect(ids(after(entered, KEY, now).inside)).toEqual([1]);
  });

  it("puts what may enter where it is due", () => {
    const dates = ["2026-03-20", "2026-03-10", null, "2026-03-15"];
    const found = dates.reduce<Station>(
      (kept, date, id) => after(waiting(id + 1, date), KEY, kept),
      aStation(),
    );
    expect(ids(found.queue)).toEqual([2, 4, 1, 3]);
  });

  it("stays as it is where a line is neither inside nor may enter", () => {
    const elsewhere = aMovement({
      inside: [someInside({ productionProcessId: 3 })],
      offers: { ...offers, out: [] },
    });
    const station = aStation();
    expect(after(elsewhere, KEY, station)).toBe(station);
  });

  it("names the last movement once, and whose it is", () => {
    const event = aMovement({ inside: [] }, { record: aRecord(), records: [aRecord()] });
    const once = after(event, KEY, aStation());
    expect(once.recent).toMatchObject([{ type: "in", pieces: 10, byId: 8, recordId: 500 }]);
    expect(after(event, KEY, once).recent).toHaveLength(1);
    const other = aStation({
      process: { productionProcessId: 3, productionProcessName: "Lijado", active: true },
    });
    expect(after(event, KEY, other)).toBe(other);
  });
});

describe("a newer server", () => {
  it("sends a type that this client does not know, and it does nothing", () => {
    const event: LiveEvent = JSON.parse('{"id":9,"type":"line.painted","by":null,"data":{"id":1}}');
    expect(applicationOf(event)).toEqual({});
  });

  it("sends a field that this client does not know, and the line is drawn all the same", () => {
    const known = aMovement({ version: 9, quantity: 12 });
    const event: LiveEvent = {
      ...known,
      data: { ...known.data, line: Object.assign({ colour: "red" }, known.data.line) },
    };
    expect(after(event, LINE_1, aLine())).toMatchObject({ version: 9, quantity: 12 });
  });
});
