import { beforeEach, describe, expect, it } from "vitest";
import type { LiveEvent, LiveEventOf, OrderEvent } from "@/contract";
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
  UNREAD,
  type Key,
} from "@/shared/http/keys";
import { storeSession } from "@/shared/session/session";
import { aNotification, aSession } from "@/testing/builders";
import { aBill } from "@/testing/bills";
import { aBoard, aLine, aMovement, anOrder, aSummary } from "@/testing/lines";
import { applicationsOf } from "./apply";

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
  unread: keyOf(UNREAD),
  webhooks: listKeyOf("/api/webhooks"),
};

/** What an event draws and what it loads again. */
function touched(event: LiveEvent) {
  const applications = applicationsOf(event);
  const named = (wanted: (each: (typeof applications)[number]) => boolean) =>
    Object.entries(KEYS)
      .filter(([, key]) => applications.some((each) => each.covers(key) && wanted(each)))
      .map(([name]) => name);
  return {
    drawn: named(({ draw }) => draw !== undefined),
    loaded: named(({ reload }) => reload !== undefined && reload !== "later"),
  };
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
beforeEach(() => signedInAs(7));

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
      expect(applicationsOf(event).some(({ covers }) => covers(key))).toBe(true);
    }
  });

  it.each(["line.moved", "line.released", "line.status-changed", "line.changed"] as const)(
    "%s draws the line everywhere and loads what it cannot tell",
    (type) => {
      const untold = type === "line.changed";
      expect(touched({ ...aMovement(), type })).toEqual({
        drawn: ["orders", "order 1", "lines", "line 1", "history 1", "board"],
        loaded: [
          "orders",
          "order 1",
          "lines",
          ...(untold ? ["line 1"] : []),
          "own processes",
          "billable",
          "payables",
          ...(type === "line.released" ? ["earnings"] : []),
          "unread",
        ],
      });
    },
  );

  it("line.moved loads my earnings where it was I who moved it, or somebody it does not name", () => {
    const earns = (id: number) =>
      touched({ ...aMovement(), by: { id, fullName: "" } }).loaded.includes("earnings");
    expect([earns(7), earns(8)]).toEqual([true, false]);
    expect(touched({ ...aMovement(), by: null }).loaded).toContain("earnings");
  });

  it("takes the answer of one's own change from the server, others' from the event alone", () => {
    const reloads = (me: number) => {
      signedInAs(me);
      return applicationsOf(aMovement())
        .filter(({ covers }) => covers(LINE_1))
        .map(({ reload }) => reload);
    };
    expect([reloads(7), reloads(8)]).toEqual([[undefined], ["soon"]]);
  });

  it("delivery.changed loads every bill and what is left to bill; its lines have their own events", () => {
    expect(touched(billChanged).loaded).toEqual(["bills", "bill 1", "bill 2", "billable"]);
  });

  it.each([{ ...HEAD, type: "order.created", data: orderData(1) } as const, orderChanged])(
    "$type loads the lines, since it may carry none of them",
    (event) => {
      expect(touched(event).loaded).toEqual(expect.arrayContaining(["lines", "order 1"]));
    },
  );

  it("order.changed leaves other orders alone, and boards to board.changed", () => {
    const { loaded } = touched(orderChanged);
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
    expect(touched(event)).toEqual({ drawn: [], loaded });
  });
});

describe("unread notifications", () => {
  const notification = (id: number, salesOrderId: number) =>
    aNotification({ salesOrderId, deliveryDate: "2026-03-04" }, { id });
  const unread = [notification(1, 10), notification(2, 20)];
  const application = (event: LiveEvent) =>
    applicationsOf(event).find(({ covers }) => covers(keyOf(UNREAD)));

  it("gain what is pushed, once, and lose what was read", () => {
    const created = application({
      ...HEAD,
      type: "notification.created",
      data: notification(3, 30),
    })?.draw;
    const three = [...unread, notification(3, 30)];
    expect(created?.(unread)).toEqual(three);
    expect(created?.(three)).toEqual(three);
    const read = application({ ...HEAD, type: "notification.read", data: { id: 1 } })?.draw;
    expect(read?.(unread)).toEqual([notification(2, 20)]);
  });

  it("are loaded again only by a change of an order that one of them is about", () => {
    const moved = application(aMovement({ salesOrderId: 10 }))?.concerns;
    expect([moved?.(unread), moved?.([notification(2, 20)])]).toEqual([true, false]);
    const deleted = application({ ...HEAD, type: "order.deleted", data: orderData(20) })?.concerns;
    expect([deleted?.(unread), deleted?.([notification(1, 10)])]).toEqual([true, false]);
  });
});

describe("a document that an event brings", () => {
  const drawn = (event: LiveEvent, key: Key, kept: object) =>
    applicationsOf(event)
      .filter(({ covers, draw }) => draw !== undefined && covers(key))
      .reduce<unknown>((now, { draw }) => draw?.(now), kept);
  const rows = <T>(...all: T[]) => ({ rows: all, total: all.length, exact: true, next: null });

  const { data } = aMovement();
  const changed: LiveEvent = {
    ...orderChanged,
    id: 100,
    data: {
      ...orderChanged.data,
      version: 2,
      notes: "Urge",
      offers: { delete: true },
      lines: [data.line],
    },
  };

  it("takes the place of an older one, with what the person may do of it", () => {
    storeSession(aSession({ permissions: ["UpdateSalesOrder"] }));
    expect(drawn(changed, listKeyOf(ORDERS), rows(aSummary(), aSummary({ id: 2 })))).toEqual(
      rows(
        expect.objectContaining({ notes: "Urge", actions: { edit: true, delete: false } }),
        aSummary({ id: 2 }),
      ),
    );
    const order = drawn(changed, keyOf(ORDER, { path: { order_id: 1 } }), anOrder());
    expect(order).toMatchObject({ notes: "Urge", version: 2, items: [{ quantityInside: 10 }] });
    expect(drawn(changed, LINE_1, aLine())).toMatchObject({ quantityInside: 10 });
    expect(drawn(changed, keyOf(BOARD), aBoard())).toMatchObject({ lanes: [{ cards: [{}] }, {}] });
  });

  it("changes nothing where what is kept is as new", () => {
    const kept = rows(aSummary({ version: 2 }));
    expect(drawn(changed, listKeyOf(ORDERS), kept)).toBe(kept);
    const head = drawn(changed, keyOf(ORDER, { path: { order_id: 1 } }), anOrder({ version: 2 }));
    expect(head).toMatchObject({ notes: "", items: [{ quantityInside: 10 }] });
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
    const bill = aBill({ id: 1 });
    expect(drawn(event, KEYS["bill 1"]!, bill)).toMatchObject(now);
    expect(drawn(event, KEYS["bills"]!, rows(bill))).toMatchObject({ rows: [now] });
    expect(touched(event).loaded).toEqual(["bills", "bill 2", "billable"]);
  });
});

describe("a newer server", () => {
  it("sends a type that this client does not know, and it does nothing", () => {
    const event: LiveEvent = JSON.parse('{"id":9,"type":"line.painted","by":null,"data":{"id":1}}');
    expect(applicationsOf(event)).toEqual([]);
  });

  it("sends a field that this client does not know, and the line is drawn all the same", () => {
    const known = aMovement({ version: 9, quantity: 12 });
    const event: LiveEvent = {
      ...known,
      data: { ...known.data, line: Object.assign({ colour: "red" }, known.data.line) },
    };
    const drawn = applicationsOf(event)
      .filter(({ covers }) => covers(LINE_1))
      .reduce<unknown>((kept, { draw }) => (draw ? draw(kept) : kept), aLine());
    expect(drawn).toMatchObject({ version: 9, quantity: 12 });
  });
});
