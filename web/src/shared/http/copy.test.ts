/** The stored copy of answers: who gets it back, and when it is thrown away. */
import { openDB } from "idb";
import { unstable_serialize, type State } from "swr";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { aSession, aToken } from "@/testing/builders";
import { aSummary } from "@/testing/lines";

const KEY = ["/api/sales-order", { query: { status: "New" } }, "list"] as const;
const TODAY = ["/api/reports/today", {}] as const;
const AUDIT = ["/api/audit", {}] as const;
const ORDERS = { rows: [aSummary({ id: 4 })], total: 1, exact: true, next: null };
const AT = Date.parse("2026-03-14T16:41:00Z");

/** Load the modules as a page does. Storage stays. */
async function loadPage() {
  vi.resetModules();
  const session = await import("../session/session");
  const copy = await import("./copy");
  const store = await import("./store");
  return { ...session, ...copy, ...store };
}
type Page = Awaited<ReturnType<typeof loadPage>>;

/** Show these answers on a page, and store them. */
async function visit(page: Page, isDue = false): Promise<void> {
  const cache = page.newCache();
  const use = page.cacheUse(cache);
  use.position = { epoch: "e1", id: 40 };
  for (const [key, data] of [
    [KEY, ORDERS],
    [TODAY, { late: [] }],
    [AUDIT, []],
  ] as const) {
    cache.set(unstable_serialize(key), { data, _k: key } as State);
    use.show(unstable_serialize(key));
  }
  await new page.CopyKeeper(cache, () => isDue).store(AT);
}

/** The names of the answers that the next page begins with. */
async function restored(change: (page: Page) => void = () => undefined) {
  const page = await loadPage();
  change(page);
  await page.readCopy();
  const cache = page.newCache();
  return { page, cache, names: [...cache.keys()], use: page.cacheUse(cache) };
}

const stored = async () => {
  const database = await openDB("obrador-copy");
  const names = [...database.objectStoreNames];
  const found: unknown = names.length === 0 ? undefined : await database.get("copies", "last");
  database.close();
  return found;
};

beforeEach(async () => {
  localStorage.clear();
  const page = await loadPage();
  page.signOut();
  page.storeSession(aSession());
  return () => vi.unstubAllGlobals();
});

describe("the copy of a session's answers", () => {
  it("stores what was answered, and not what a write under way will change", async () => {
    const page = await loadPage();
    const answered = aSummary({ id: 4, version: 2, notes: "answered" });
    page.put([answered]);
    await visit(page);
    page.foresee(answered, { notes: "not answered" });
    await visit(page);
    const now = JSON.stringify(await stored());
    expect(now).toContain('"notes":"answered"');
    expect(now).not.toContain("not answered");
  });

  it("stores the answer of a list that is shown without what is being marked as read", async () => {
    const page = await loadPage();
    const cache = page.newCache();
    page.cacheUse(cache).position = { epoch: "e1", id: 40 };
    const name = unstable_serialize(KEY);
    const shown = { ...ORDERS, rows: [] };
    cache.set(name, { data: shown, _c: ORDERS, _k: KEY } as State);
    page.cacheUse(cache).show(name);
    await new page.CopyKeeper(cache, () => false).store(AT);
    const { cache: next } = await restored();
    expect(next.get(name)?.data).toEqual(ORDERS);
  });

  it("is what the next page begins with: answers, documents and the last event", async () => {
    await visit(await loadPage());
    const { page, cache, names, use } = await restored();
    expect(names).toEqual([KEY, TODAY].map((key) => unstable_serialize(key)));
    expect(cache.get(names[0]!)?.data).toEqual(ORDERS);
    expect(page.heldOf({ kind: ORDERS.rows[0]!.kind, id: 4 })).toMatchObject({ id: 4 });
    expect([use.position, use.restoredAt]).toEqual([{ epoch: "e1", id: 40 }, AT]);
  });

  it("is fresh but for reports, and for what was due to be loaded again", async () => {
    await visit(await loadPage());
    expect([...(await restored()).use.fresh]).toEqual([unstable_serialize(KEY)]);
    await visit(await loadPage(), true);
    const { use, names } = await restored();
    expect([use.fresh.size, names.length]).toEqual([0, 2]);
  });

  it("is restored for one cache only", async () => {
    await visit(await loadPage());
    const { page } = await restored();
    expect(page.newCache().size).toBe(0);
  });

  it.each([
    ["other permissions", (page: Page) => page.storePermissions(["ListOrders"])],
    ["another language", () => localStorage.setItem("language", "en")],
    [
      "another account",
      (page: Page) => page.storeSession(aSession({ token: aToken({ sub: "8" }) })),
    ],
  ])("is thrown away under %s", async (_, change) => {
    await visit(await loadPage());
    expect((await restored(change)).names).toEqual([]);
    expect(await stored()).toBeUndefined();
  });

  it("is thrown away by another release", async () => {
    await visit(await loadPage());
    const database = await openDB("obrador-copy");
    const copy = (await database.get("copies", "last")) as object;
    await database.put("copies", { ...copy, release: "static/start-1.js" }, "last");
    database.close();
    expect((await restored()).names).toEqual([]);
  });

  it.each(["signOut", "expireSession"] as const)("is deleted by %s", async (end) => {
    const page = await loadPage();
    await visit(page);
    expect(await stored()).toBeDefined();
    page[end]();
    expect(await stored()).toBeUndefined();
    // A copy that was under way at the end of the session stores nothing.
    await visit(page);
    expect(await stored()).toBeUndefined();
  });

  it("is not stored of a page whose permissions changed", async () => {
    const page = await loadPage();
    const cache = page.newCache();
    const keeper = new page.CopyKeeper(cache, () => false);
    page.cacheUse(cache).position = { epoch: "e1", id: 40 };
    page.storePermissions(["ListOrders"]);
    await keeper.store(AT);
    expect(await stored()).toBeUndefined();
  });

  it("leaves the screen when the permissions differ, and begins again with an empty cache", async () => {
    await visit(await loadPage());
    const { page, cache } = await restored();
    page.comparePermissions(cache, ["ListOrders"]);
    expect(page.caches.get()).toBe(1);
    expect(page.heldOf({ kind: ORDERS.rows[0]!.kind, id: 4 })).toBeUndefined();
    expect(await stored()).toBeUndefined();
  });

  it("leaves the page alone when the permissions change after the first comparison", async () => {
    await visit(await loadPage());
    const { page, cache } = await restored();
    page.comparePermissions(cache, aSession().permissions);
    page.comparePermissions(cache, ["ListOrders"]);
    expect(page.caches.get()).toBe(0);
    expect(await stored()).toBeUndefined();
  });

  it.each([
    ["missing", undefined],
    ["blocked", { open: () => refuse(), deleteDatabase: () => refuse() }],
  ])("is an empty cache where storage is %s", async (_, place) => {
    await visit(await loadPage());
    vi.stubGlobal("indexedDB", place);
    const { page, names } = await restored();
    expect(names).toEqual([]);
    await visit(page);
    page.signOut();
  });
});

function refuse(): never {
  throw new DOMException("", "SecurityError");
}
