import { unstable_serialize, type Cache, type ScopedMutator } from "swr";
import { initCache } from "swr/_internal";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Line, LiveEvent, Notification, ShopFloor } from "@/contract";
import type { List } from "@/shared/http/list";
import { keys, type Key } from "@/shared/keys";
import * as session from "@/shared/session/session";
import { aBoard, aLine, aMovement } from "@/testing/lines";
import { CacheUpdater } from "./refresh";
import { effectsOf } from "./apply";

const EVERY_KEY: Key[] = [
  keys.list("production-processes"),
  keys.list("customers"),
  keys.list("items"),
  keys.orders({}),
  keys.order(1),
  keys.order(2),
  keys.lines({}),
  keys.line(1, 1),
  keys.line(1, 2),
  keys.history(1, 1),
  keys.shopFloor(),
  keys.ownProcesses(),
  keys.deliveries({}),
  keys.delivery(1),
  keys.billable({}),
  keys.payables({}),
  keys.payments({}),
  keys.payment(1),
  keys.earnings(),
  keys.notifications(),
];

/** What an event patches and what it loads again, as key texts. */
function touched(event: LiveEvent) {
  const effects = effectsOf(event);
  const named = (wanted: (effect: (typeof effects)[number]) => boolean) =>
    EVERY_KEY.filter((key) => effects.some((effect) => effect.covers(key) && wanted(effect))).map(
      (key) => key.filter((part) => typeof part !== "object").join(" "),
    );
  return {
    patched: named(({ patch }) => patch !== undefined),
    loaded: named(({ reload }) => reload !== undefined && reload !== "later"),
  };
}

const about = <T extends LiveEvent["type"]>(type: T, data: object): LiveEvent =>
  ({ id: 1, type, at: "", by: null, data }) as LiveEvent;

describe("the table of stale keys", () => {
  it.each(["line.moved", "line.status-changed", "order.created", "delivery.changed"] as const)(
    "%s makes the dashboard and the reports stale",
    (type) => {
      const event = { ...aMovement(), type } as unknown as LiveEvent;
      const days = { from: "2026-03-01", to: "2026-03-31" };
      for (const key of [keys.dashboard("statuses", days), keys.reportLines({}), keys.flow(days)]) {
        expect(effectsOf(event).some(({ covers }) => covers(key))).toBe(true);
      }
    },
  );

  it.each(["line.moved", "line.released", "line.status-changed", "line.changed"] as const)(
    "%s draws the line everywhere and loads what it cannot tell",
    (type) => {
      const { patched, loaded } = touched({ ...aMovement(), type });
      expect({ patched, loaded }).toEqual({
        patched: [
          "sales-order list",
          "sales-order one 1",
          "sales-order lines",
          "sales-order line 1 1",
          "sales-order history 1 1",
          "shop-floor",
        ],
        loaded: [
          "sales-order list",
          ...(type === "line.changed" ? ["sales-order one 1"] : []),
          "sales-order lines",
          ...(type === "line.changed" ? ["sales-order line 1 1"] : []),
          "own-processes",
          "deliveries billable",
          "payables list",
          ...(type === "line.released" ? ["earnings"] : []),
          "notifications unread",
        ],
      });
    },
  );

  it("line.moved loads my earnings where it was I who moved it, or somebody it does not name", () => {
    const earns = (id: number) =>
      touched({ ...aMovement(), by: { id, fullName: "" } }).loaded.includes("earnings");
    vi.spyOn(session, "getSession").mockReturnValue({ user: { id: 7 } } as session.Session);
    expect([earns(7), earns(8)]).toEqual([true, false]);
    expect(touched({ ...aMovement(), by: null }).loaded).toContain("earnings");
  });

  it("takes the answer of one's own change from the server, others' from the event alone", () => {
    const reloads = (me: number) => {
      vi.spyOn(session, "getSession").mockReturnValue({ user: { id: me } } as session.Session);
      return effectsOf(aMovement())
        .filter(({ covers }) => covers(keys.line(1, 1)))
        .map(({ reload }) => reload);
    };
    expect([reloads(7), reloads(8)]).toEqual([[undefined], ["soon"]]);
  });

  it("delivery.changed loads every bill and what is left to bill; its lines have their own events", () => {
    const { loaded } = touched(about("delivery.changed", { id: 1, status: "Billed" }));
    expect(loaded).toEqual(["deliveries list", "deliveries one 1", "deliveries billable"]);
  });

  it.each(["order.created", "order.changed"] as const)(
    "%s loads the lines, since it may carry none of them",
    (type) => {
      const { loaded } = touched(about(type, { id: 1, lines: null }));
      expect(loaded).toEqual(expect.arrayContaining(["sales-order lines", "sales-order one 1"]));
    },
  );

  it("order.changed leaves other orders alone", () => {
    const { loaded } = touched(about("order.changed", { id: 1 }));
    expect(loaded).toContain("sales-order one 1");
    expect(loaded).toContain("sales-order line 1 2");
    expect(loaded).not.toContain("sales-order one 2");
  });

  it.each([
    [
      "payment.changed",
      { id: 1, salesOrderIds: [1] },
      [
        "sales-order one 1",
        "sales-order lines",
        "sales-order line 1 1",
        "sales-order line 1 2",
        "sales-order history 1 1",
        "payables list",
        "payments list",
        "payments one 1",
      ],
    ],
    ["earnings.changed", { id: 7 }, ["earnings"]],
    ["catalog.changed", { id: 1, catalog: "items" }, ["items list"]],
    [
      "catalog.changed",
      { id: 1, catalog: "production-processes" },
      ["production-processes list", "shop-floor", "own-processes"],
    ],
    ["session.ended", { id: 1 }, []],
  ] as const)("%s loads %j → %j", (type, data, loaded) => {
    expect(touched(about(type, data))).toEqual({ patched: [], loaded });
  });
});

describe("unread notifications", () => {
  const notification = (id: number, salesOrderId: number): Notification => ({
    id,
    read: false,
    type: "SalesOrderDeliveryDateExpiring",
    createdAt: "2026-03-02T12:00:00.000Z",
    message: { notes: "A-1", position: 1, salesOrderId },
  });
  const unread = [notification(1, 10), notification(2, 20)];
  const effect = (event: LiveEvent) =>
    effectsOf(event).find(({ covers }) => covers(keys.notifications())) as unknown as {
      patch: (data: Notification[]) => Notification[];
      concerns: (data: Notification[]) => boolean;
    };

  it("gain what is pushed, once, and lose what was read", () => {
    const created = effect(about("notification.created", notification(3, 30)));
    expect(created.patch(unread).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(created.patch(created.patch(unread))).toHaveLength(3);
    const read = effect(about("notification.read", { id: 1 }));
    expect(read.patch(unread).map(({ id }) => id)).toEqual([2]);
  });

  it("are loaded again only by a change of an order that one of them is about", () => {
    const moved = effect(aMovement({ salesOrderId: 10 }));
    expect([moved.concerns(unread), moved.concerns([notification(2, 20)])]).toEqual([true, false]);
    const deleted = effect(about("order.deleted", { id: 20 }));
    expect([deleted.concerns(unread), deleted.concerns([notification(1, 10)])]).toEqual([
      true,
      false,
    ]);
  });
});

describe("the cache", () => {
  let cache: Cache;
  let mutate: ScopedMutator;
  const held = <T>(key: Key) => cache.get(unstable_serialize(key))?.data as T;

  beforeEach(async () => {
    vi.useFakeTimers();
    const started = initCache(new Map());
    if (started === undefined) throw new Error("SWR gave no cache.");
    [cache, mutate] = started as unknown as [Cache, ScopedMutator];
    await mutate(keys.line(1, 1), aLine());
    await mutate(keys.lines({}), { rows: [aLine()], total: 1, hasMore: false });
    await mutate(keys.shopFloor(), aBoard());
    // SWR finds keys by what its hooks store beside the data.
    for (const key of [keys.line(1, 1), keys.lines({}), keys.shopFloor()]) {
      const name = unstable_serialize(key);
      cache.set(name, { ...cache.get(name), _k: key } as never);
    }
    return () => vi.useRealTimers();
  });

  it("follows a batch of events at once", () => {
    new CacheUpdater(cache, mutate).apply([aMovement(), aMovement({ version: 6, quantity: 12 })]);
    expect(held<Line>(keys.line(1, 1)).quantity).toBe(12);
    expect(held<List<Line>>(keys.lines({})).rows[0]!.status).toBe("InProcess");
    expect(held<ShopFloor>(keys.shopFloor()).lanes[0]!.cards).toHaveLength(1);
  });

  it("applies to an answer under way what came meanwhile, and asks for no other", () => {
    const name = unstable_serialize(keys.line(1, 1));
    const loaded = vi.fn<(key: unknown) => void>();
    const counting = ((key: Parameters<ScopedMutator>[0], ...rest: unknown[]) => {
      if (Array.isArray(key) && key[1] === "line" && rest.length === 0) loaded(key);
      return (mutate as (...all: unknown[]) => unknown)(key, ...rest);
    }) as ScopedMutator;
    const updater = new CacheUpdater(cache, counting, () => 0);
    cache.set(name, { ...cache.get(name), isValidating: true } as never);
    updater.apply([aMovement({ version: 6, quantity: 12 })]);
    vi.advanceTimersByTime(500);
    expect(held<Line>(keys.line(1, 1)).quantity).toBe(10);
    // The answer is older than the event.
    cache.set(name, {
      ...cache.get(name),
      isValidating: false,
      data: aLine({ version: 5, quantity: 11 }),
    } as never);
    vi.advanceTimersByTime(100);
    expect(held<Line>(keys.line(1, 1))).toMatchObject({ version: 6, quantity: 12 });
    vi.advanceTimersByTime(100_000);
    expect(loaded).not.toHaveBeenCalled();
  });

  it("loads a list again soon at first, a busy one every half minute, and a last time after the burst", () => {
    const loads: number[] = [];
    const started = Date.now();
    const counting = ((key: Parameters<ScopedMutator>[0], ...rest: unknown[]) => {
      if (Array.isArray(key) && key[1] === "lines" && rest.length === 0) {
        loads.push(Date.now() - started);
      }
      return (mutate as (...all: unknown[]) => unknown)(key, ...rest);
    }) as ScopedMutator;
    const updater = new CacheUpdater(cache, counting, () => 0);
    for (let step = 0; step < 700; step += 1) {
      updater.apply([aMovement({ version: 5 + step })]);
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(100_000);
    expect(loads).toEqual([0, 2_000, 4_000, 34_000, 64_000, 94_000]);
  });
});
