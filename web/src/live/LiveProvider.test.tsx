/** A page asks for nothing twice at its start. */
import { act, render } from "@testing-library/react";
import { useEffect } from "react";
import { SWRConfig, unstable_serialize, type State } from "swr";
import { beforeEach, expect, it, vi } from "vitest";
import { useAnswer, useList } from "@/shared/http/data";
import { LINES, ORDERS, RESOURCES, UNREAD } from "@/shared/http/keys";
import { forgetDocuments } from "@/shared/http/store";
import { caches, CopyKeeper, newCache, noteUse, readCopy, cacheUse } from "@/shared/http/copy";
import { endStart, givenAtStart } from "@/shared/http/start";
import { getSession, storeSession } from "@/shared/session/session";
import { written } from "@/shared/ui/useSubmit";
import { aSession, aStart } from "@/testing/builders";
import { PLANT } from "@/testing/lines";
import { LiveProvider, useLiveStatus } from "./LiveProvider";

/** The paths that were asked for, in order. */
let asked: string[];
let sockets: FakeSocket[];
/** What the server answers to the start of the page. */
let start: object;

class FakeSocket extends EventTarget {
  constructor(readonly address: string) {
    super();
    sockets.push(this);
  }
  say(frame: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }
  send(): void {}
  close(): void {}
}

const hello = { type: "hello", id: 40, epoch: "e1", screens: 1 };

let mutateUnread: () => Promise<unknown>;
/** Whether the server was away, each time that it changed. */
let away: boolean[];

function Page() {
  const { isAway } = useLiveStatus();
  useEffect(() => void away.push(isAway), [isAway]);
  const { mutate } = useAnswer(UNREAD);
  useEffect(() => {
    mutateUnread = mutate;
  }, [mutate]);
  useAnswer(ORDERS);
  useList(LINES, {}, { show: 25, more: () => undefined });
  return null;
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

const open = () =>
  render(
    <SWRConfig value={{ provider: newCache, use: [noteUse], dedupingInterval: 0 }}>
      <LiveProvider>
        <Page />
      </LiveProvider>
    </SWRConfig>,
  );

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  away = [];
  sockets = [];
  start = aStart(aSession());
  endStart();
  forgetDocuments();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    return Response.json(pathname === "/api/start" ? start : []);
  });
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

it("asks for each answer once, and for nothing that the start answers", async () => {
  start = { ...start, unread: { notifications: [], bell: {} }, processes: PLANT };
  storeSession(aSession());
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  await pass(15_000);
  expect(asked.toSorted()).toEqual([
    // The active processes, which this start does not name.
    "/api/production-processes",
    "/api/sales-order",
    "/api/sales-order/positions",
    "/api/start",
  ]);
  expect(sockets[0]!.address).toContain("ticket=t&since=40&epoch=e1");
});

it("takes the user and the permissions from the start", async () => {
  const permissions = ["ListOrders"] as const;
  storeSession(aSession({ permissions: ["ListSalesOrders"] }));
  const { user } = aSession();
  start = aStart({ user: { ...user, fullName: "Ana Torres" }, permissions });
  open();
  await pass(500);
  expect(getSession()).toMatchObject({ permissions, user: { fullName: "Ana Torres" } });
});

it("asks for each answer by its own call if the start fails, and for the start again", async () => {
  const answering = globalThis.fetch;
  let starts = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    const isFirst = request.url.endsWith("/api/start") && (starts += 1) === 1;
    return isFirst ? Response.error() : answering(request);
  });
  storeSession(aSession());
  open();
  await pass(500);
  expect(asked).toContain("/api/notifications/unread");
  await pass(2_000);
  expect([starts, sockets.length]).toEqual([2, 1]);
  expect(away).toEqual([false, true, false]);
});

it("asks by calls of their own for what changes once the page is live", async () => {
  start = { ...start, unread: { notifications: [], bell: {} }, processes: PLANT };
  storeSession(aSession());
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  await act(() => mutateUnread());
  expect(asked).toContain("/api/notifications/unread");
});

it("asks for the start again at each poll if the socket never opens", async () => {
  storeSession(aSession());
  open();
  await pass(500);
  start = aStart({ ...aSession(), permissions: ["ListOrders"] });
  act(() => sockets[0]!.dispatchEvent(new CloseEvent("close", { code: 4403 })));
  await pass(600_500);
  expect(asked.filter((path) => path === "/api/start")).toHaveLength(2);
  expect(getSession()?.permissions).toEqual(["ListOrders"]);
});

it.each([
  ["polling begins", () => sockets[0]!.dispatchEvent(new CloseEvent("close", { code: 4403 }))],
  ["the user has written", () => written.set(written.get() + 1)],
])("asks by calls of their own once %s, though no socket has opened", async (_, happens) => {
  start = { ...start, parts: [] };
  storeSession(aSession());
  open();
  await pass(500);
  act(() => void happens());
  await pass(10);
  expect(await givenAtStart(RESOURCES.parts)).toBeUndefined();
});

/** Begin with the copy that an earlier page stored: the list of orders, as it was after event 7. */
async function withCopy(): Promise<void> {
  vi.useRealTimers();
  storeSession(aSession());
  const key = [ORDERS, {}];
  const name = unstable_serialize(key);
  const earlier = newCache();
  earlier.set(name, { data: [], _k: key } as State);
  cacheUse(earlier).show(name);
  cacheUse(earlier).position = { epoch: "e1", id: 7 };
  await new CopyKeeper(earlier, () => false).store(Date.now());
  await readCopy();
  vi.useFakeTimers();
}

it("asks for no answer of the copy, and for the events since it was stored", async () => {
  await withCopy();
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  await pass(15_000);
  expect(asked).not.toContain("/api/sales-order");
  expect(asked).toContain("/api/sales-order/positions");
  expect(sockets[0]!.address).toContain("since=7&epoch=e1");
});

it("asks for an answer of the copy that an event makes stale", async () => {
  await withCopy();
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  act(() => sockets[0]!.say({ id: 8, type: "order.deleted", at: "", by: null, data: { id: 4 } }));
  await pass(30_000);
  expect(asked).toContain("/api/sales-order");
});

it("loads everything again if the events since the copy cannot be served", async () => {
  await withCopy();
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  act(() => sockets[0]!.say({ type: "reset" }));
  await pass(5_000);
  expect(asked).toContain("/api/sales-order");
});

it("begins again with an empty cache if the user lost a permission", async () => {
  await withCopy();
  const before = caches.get();
  start = aStart({ ...aSession(), permissions: [] });
  open();
  await pass(500);
  expect(caches.get()).toBe(before + 1);
  expect(getSession()?.permissions).toEqual([]);
});

it("begins again with an empty cache if another tab has learned first of the lost permission", async () => {
  await withCopy();
  const before = caches.get();
  start = aStart({ ...aSession(), permissions: [] });
  open();
  act(() => {
    localStorage.setItem("userPermissions", "[]");
    window.dispatchEvent(new StorageEvent("storage", { key: "userPermissions" }));
  });
  await pass(500);
  expect(caches.get()).toBe(before + 1);
});

it("stays as it is if the user loses a permission later", async () => {
  await withCopy();
  const before = caches.get();
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  start = aStart({ ...aSession(), permissions: [] });
  const event = { id: 41, type: "permissions.changed", at: "", by: null, data: { userId: 7 } };
  act(() => sockets[0]!.say(event));
  await pass(15_000);
  expect(getSession()?.permissions).toEqual([]);
  expect(caches.get()).toBe(before);
});
