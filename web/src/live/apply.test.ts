import { beforeEach, describe, expect, it } from "vitest";
import type { LineDocument, LiveEvent, LiveEventOf, OrderEvent } from "@/contract";
import {
  ADDRESSES,
  BELL,
  BILL,
  BILLABLE,
  BOARD,
  CUSTOMER_PAGE,
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
  TODAY,
  UNREAD,
  type Key,
} from "@/shared/http/keys";
import { forgetDocuments, heldOf, put } from "@/shared/http/store";
import { storeSession } from "@/shared/session/session";
import { aBill } from "@/testing/bills";
import { aNotification, aSession } from "@/testing/builders";
import { aForecast } from "@/testing/forecasts";
import { aLine, aMovement, aSummary } from "@/testing/lines";
import { applicationOf } from "./apply";
import { afterEvent } from "./testing";

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
  bell: keyOf(BELL),
  board: keyOf(BOARD),
  "own processes": keyOf(OWN_PROCESSES),
  bills: listKeyOf("/api/deliveries/search"),
  "bill 1": keyOf(BILL, { path: { delivery_id: 1 } }),
  "bill 2": keyOf(BILL, { path: { delivery_id: 2 } }),
  "missing addresses": keyOf(ADDRESSES, { query: { customerId: 1 } }),
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

/** The names of the answers that an event makes stale. */
const stale = (event: LiveEvent) =>
  named((key) => applicationOf(event).stale?.some((covers) => covers(key)) === true);

const HEAD = { id: 1, at: "", by: null };
const orderData = (id: number) => ({ ...aSummary({ id }), lines: null });
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

describe("the answers that an event makes stale", () => {
  it.each([
    aMovement(),
    { ...aMovement(), type: "line.status-changed" } as const,
    { ...HEAD, type: "order.created", data: orderData(1) } as const,
    billChanged,
  ])("$type: the dashboard and the reports", (event) => {
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
    "%s: lists; the line and its order only if the product may have changed",
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
        ...(changed || type === "line.released" ? ["earnings"] : []),
        "today",
      ]);
    },
  );

  it("line.forecast: what Hoy shows, and no list: their rows follow by their documents", () => {
    expect(stale({ ...aMovement(), type: "line.forecast" })).toEqual(["today"]);
  });

  it("line.forecast: the page of a customer, which shows its days", () => {
    const { stale: covered } = applicationOf({ ...aMovement(), type: "line.forecast" });
    expect(covered?.some((covers) => covers(keyOf(CUSTOMER_PAGE)))).toBe(true);
  });

  it("line.forecast: replaces the forecast of a line that keeps its version", () => {
    const { actions: _, ...held } = aLine({ version: 5, forecast: aForecast() });
    put([held]);
    const later = aForecast({ p50: "2026-03-20", p80: "2026-03-27" });
    const event = { ...aMovement({ version: 5, forecast: later }), type: "line.forecast" as const };
    put(applicationOf(event).documents ?? []);
    expect(heldOf<LineDocument>({ kind: "line", id: 11 } as LineDocument)?.forecast).toEqual(later);
  });

  it("line.moved: the earnings, if the user moved it or the event names no one", () => {
    const earns = (by: { id: number; fullName: string } | null) =>
      stale({ ...aMovement(), by }).includes("earnings");
    expect([earns({ id: 7, fullName: "" }), earns({ id: 8, fullName: "" })]).toEqual([true, false]);
    expect(earns(null)).toBe(true);
  });

  it("delivery.changed: every bill but the one it carries and the billable lines, but not who lacks an address", () => {
    expect(stale(billChanged)).toEqual(["bills", "bill 1", "bill 2", "billable", "today"]);
    const { actions: _, ...bill } = aBill({ id: 1 });
    const brought = { ...billChanged, data: { ...billChanged.data, bill } };
    expect(stale(brought)).toEqual(["bills", "bill 2", "billable", "today"]);
  });

  it.each([{ ...HEAD, type: "order.created", data: orderData(1) } as const, orderChanged])(
    "$type: the list of lines and the order, as the event may carry no lines",
    (event) => {
      expect(stale(event)).toEqual(expect.arrayContaining(["lines", "order 1"]));
    },
  );

  it("order.changed: not other orders, and not the board", () => {
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
    [catalogChanged("items"), ["items", "an item", "bill 1", "bill 2"]],
    [catalogChanged("production-processes"), ["processes", "board", "own processes"]],
    [catalogChanged("service-accounts"), ["webhooks"]],
    [{ ...HEAD, type: "notices.changed", data: { id: 7, unread: 2 } }, ["bell"]],
    [
      { ...HEAD, type: "import.finished", data: { id: 1, catalog: "materials", state: "applied" } },
      [],
    ],
    [{ ...HEAD, type: "session.ended", data: { id: 1, jti: null } }, []],
  ])("%j: %j", (event, loaded) => {
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

  it("gain a pushed notification once, and lose one that was read or has ended", () => {
    const three = afterEvent(created, UNREAD_KEY, unread);
    expect(three).toEqual([...unread, notification(3, 30)]);
    expect(afterEvent(created, UNREAD_KEY, three)).toEqual(three);
    const read = { ...notification(1, 10), read: true };
    const ended = { kind: "notification", id: 1 } as const;
    for (const event of [
      { ...HEAD, type: "notification.read", data: read },
      { ...HEAD, type: "notification.ended", data: ended },
    ] satisfies LiveEvent[]) {
      expect(afterEvent(event, UNREAD_KEY, unread)).toEqual([notification(2, 20)]);
    }
  });

  it("show the newer version of a changed notification", () => {
    const moved = aNotification({ salesOrderId: 10, deliveryDate: "2026-03-09" }, { version: 2 });
    const changed: LiveEvent = { ...HEAD, type: "notification.changed", data: moved };
    expect(afterEvent(changed, UNREAD_KEY, unread)).toEqual([moved, notification(2, 20)]);
  });

  it("gain nothing about a process that the user does not work in", () => {
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
    expect(afterEvent(event, UNREAD_KEY, [])).toEqual([]);
    worker(1, 2);
    expect(afterEvent(event, UNREAD_KEY, [])).toEqual([inside]);
  });

  it("are never made stale by an event", () => {
    for (const event of [aMovement(), orderChanged, billChanged, created]) {
      expect(stale(event)).not.toContain("unread");
    }
  });
});

describe("a newer server", () => {
  it("may send an unknown type, which is ignored", () => {
    const event: LiveEvent = JSON.parse('{"id":9,"type":"line.painted","by":null,"data":{"id":1}}');
    expect(applicationOf(event)).toEqual({});
  });

  it("may send an unknown field, and the line is still updated", () => {
    const known = aMovement({ version: 9, quantity: 12 });
    const event: LiveEvent = {
      ...known,
      data: { ...known.data, line: Object.assign({ colour: "red" }, known.data.line) },
    };
    expect(afterEvent(event, LINE_1, aLine())).toMatchObject({ version: 9, quantity: 12 });
  });
});
