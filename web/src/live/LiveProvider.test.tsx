/** A page asks for nothing twice at its start. */
import { act, render } from "@testing-library/react";
import { SWRConfig } from "swr";
import { beforeEach, expect, it, vi } from "vitest";
import { useAnswer, useList } from "@/shared/http/data";
import { LINES, ORDERS, UNREAD } from "@/shared/http/keys";
import { forgetDocuments } from "@/shared/http/store";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { LiveProvider } from "./LiveProvider";

/** The paths that were asked for, in order. */
let asked: string[];
let sockets: FakeSocket[];
/** Whether this page signed the user in. Else the session is one of an earlier page or of another tab. */
let isSignedInHere: boolean;
vi.mock("@/shared/session/session", async (original) => ({
  ...(await original<object>()),
  isSignedInHere: () => isSignedInHere,
}));

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

function Page() {
  useAnswer(UNREAD);
  useAnswer(ORDERS);
  useList(LINES, {}, { show: 25, more: () => undefined });
  return null;
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

const open = () =>
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <LiveProvider>
        <Page />
      </LiveProvider>
    </SWRConfig>,
  );

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  sockets = [];
  isSignedInHere = true;
  sessionStorage.clear();
  forgetDocuments();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    const body = pathname === "/api/live/ticket" ? { ticket: "t", pictures: "p" } : [];
    return Response.json(body);
  });
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const ONCE = [
  "/api/live/ticket",
  "/api/notifications/unread",
  // All processes, and the active ones.
  "/api/production-processes",
  "/api/production-processes",
  "/api/sales-order",
  "/api/sales-order/positions",
];

it("asks for each answer once after a sign-in", async () => {
  storeSession(aSession());
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  await pass(15_000);
  expect(asked.toSorted()).toEqual(ONCE);
});

it("asks in a new tab for each answer and for the rights once", async () => {
  storeSession(aSession());
  isSignedInHere = false;
  open();
  await pass(500);
  act(() => sockets[0]!.say(hello));
  await pass(15_000);
  const rights = ["/identity/permissions/describe", "/identity/users/7"];
  expect(asked.toSorted()).toEqual([...ONCE, ...rights]);
});

it("asks again if the socket opened so late that changes may be missing", async () => {
  storeSession(aSession());
  open();
  await pass(11_000);
  act(() => sockets[0]!.say(hello));
  await pass(5_000);
  const lists = asked.filter((path) => path.startsWith("/api/sales-order"));
  expect(lists.toSorted()).toEqual([ONCE[4], ONCE[4], ONCE[5], ONCE[5]]);
});
