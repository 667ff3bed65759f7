import { act, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { SWRConfig, useSWRConfig } from "swr";
import { beforeEach, expect, it, vi } from "vitest";
import { useAnswer, useList } from "@/shared/http/data";
import { at, BOARD, LINE, LINES, UNREAD } from "@/shared/http/keys";
import { forgetDocuments } from "@/shared/http/store";
import { aNotification } from "@/testing/builders";
import { aBoard } from "@/testing/floor";
import { aLine, aMovement } from "@/testing/lines";
import { LiveAnswers } from "./LiveAnswers";

const START = Date.parse("2026-03-14T15:00:00Z");
/** The requests: seconds since START, and the path. */
let asked: [number, string][] = [];
let answers: Record<string, unknown>;
/** Every answer waits for this promise. */
let gate: Promise<unknown>;

/** A page that shows a line, the list of lines, the board and the unread notifications. */
async function aPage(chance = 0) {
  const cached = new Map();
  const wrapper = ({ children }: PropsWithChildren) => (
    <SWRConfig value={{ provider: () => cached }}>{children}</SWRConfig>
  );
  const { result } = renderHook(
    () => ({
      swr: useSWRConfig(),
      line: useAnswer(LINE, { path: { order_id: 1, position: 1 } }).data,
      lines: useList(LINES, {}, { show: 25, more: () => undefined }).rows,
      board: useAnswer(BOARD).data,
      unread: useAnswer(UNREAD).data,
    }),
    { wrapper },
  );
  await pass(0);
  asked = [];
  const { cache, mutate } = result.current.swr;
  return { shown: result, live: new LiveAnswers(cache, mutate, () => chance), wrapper };
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

/** Apply `times` movements by another user, `milliseconds` apart. */
async function move(live: LiveAnswers, times: number, milliseconds: number) {
  for (let step = 0; step < times; step += 1) {
    act(() => live.apply([aMovement({ version: 5 + step })]));
    // oxlint-disable-next-line no-await-in-loop -- one movement after the other
    await pass(milliseconds);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  forgetDocuments();
  gate = Promise.resolve();
  answers = {
    "/api/sales-order/1/position/1": aLine(),
    "/api/sales-order/positions": [aLine()],
    "/api/shop-floor": aBoard(),
    "/api/notifications/unread": [aNotification()],
    "/api/reports/throughput": [],
  };
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const { pathname } = new URL(url);
    asked.push([(Date.now() - START) / 1_000, pathname]);
    const answer = JSON.stringify(answers[pathname]);
    await gate;
    return new Response(answer, { headers: { "Content-Type": "application/json" } });
  });
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

it("applies a batch of events at once to every answer that shows the line", async () => {
  const { shown, live } = await aPage();
  act(() => live.apply([aMovement(), aMovement({ version: 6, quantity: 12 })]));
  expect(shown.current.line?.quantity).toBe(12);
  expect(shown.current.lines?.[0]).toMatchObject({ status: "InProcess", quantity: 12 });
  expect(shown.current.board?.lines[0]).toMatchObject({ quantity: 12 });
});

it("reloads only the list of lines while others move ten times a second", async () => {
  const { live } = await aPage();
  await move(live, 600, 100);
  const paths = asked.map(([, path]) => path);
  expect(new Set(paths)).toEqual(new Set(["/api/sales-order/positions"]));
  expect(paths.length).toBeLessThanOrEqual(4);
});

it("reloads a list twice at once, then every 25 s, and a last time after the burst", async () => {
  const { live } = await aPage();
  await move(live, 450, 100);
  await pass(60_000);
  expect(asked.map(([second]) => Math.floor(second))).toEqual([0, 0, 25, 50]);
});

it("reloads a report of the dashboard twice at once, then every 100 s", async () => {
  const { live, wrapper } = await aPage();
  const throughput = "/api/reports/throughput";
  renderHook(() => useAnswer(throughput), { wrapper });
  await pass(0);
  asked = [];
  await move(live, 2_500, 100);
  const loads = asked.filter(([, path]) => path === throughput);
  expect(loads.map(([second]) => Math.floor(second))).toEqual([0, 0, 100, 200]);
});

it("keeps an event that arrives while an older answer is under way", async () => {
  const { shown, live } = await aPage();
  let open: (value: unknown) => void = () => undefined;
  gate = new Promise((resolve) => (open = resolve));
  act(() => void shown.current.swr.mutate(() => true));
  await pass(10);
  act(() => live.apply([aMovement({ version: 6, quantity: 12 })]));
  expect(shown.current.line?.quantity).toBe(12);
  open(null);
  await pass(1_000);
  expect(shown.current.line).toMatchObject({ version: 6, quantity: 12 });
  expect(shown.current.lines?.[0]).toMatchObject({ version: 6, quantity: 12 });
  // The answer under way may lack the line, so the board is loaded again.
  expect(asked.filter(([, path]) => path === "/api/shop-floor")).toHaveLength(2);
});

it("spreads the reloads after an event over more time when there are more screens", async () => {
  const { live } = await aPage(0.5);
  live.shareWith(300);
  act(() => live.apply([aMovement()]));
  await pass(2_900);
  expect(asked).toEqual([]);
  await pass(200);
  expect(asked).toHaveLength(1);
});

it("reloads everything once after the rights are loaded, after a random delay", async () => {
  const { live } = await aPage(0.5);
  live.shareWith(300);
  const followRights = vi.fn<() => Promise<void>>(async () => undefined);
  live.reloadAll(followRights);
  live.reloadAll(followRights);
  await pass(2_900);
  expect([followRights.mock.calls.length, asked.length]).toEqual([0, 0]);
  await pass(200);
  expect([followRights.mock.calls.length, asked.length]).toEqual([1, 4]);
});

it("reloads nothing if it was stopped while the rights were loaded", async () => {
  const { live } = await aPage(0.5);
  const followRights = vi.fn<() => Promise<void>>(async () => live.stop());
  live.reloadAll(followRights);
  await pass(10_000);
  expect([followRights.mock.calls.length, asked]).toEqual([1, []]);
});

it("accepts an older version that is loaded after a reset", async () => {
  const { shown, live } = await aPage();
  act(() => live.apply([aMovement({ version: 9, quantity: 12 })]));
  live.reloadAll();
  await pass(1_000);
  expect(shown.current.line).toMatchObject({ version: 4, quantity: 10 });
});

it("loads nothing while the page is hidden, and loads what was due when it is visible again", async () => {
  const { live } = await aPage();
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  await move(live, 3, 20_000);
  expect(asked).toEqual([]);
  hidden.mockRestore();
  act(() => live.wake());
  await pass(100);
  expect(asked.map(([, path]) => path)).toEqual(["/api/sales-order/positions"]);
});

const pathsAsked = () => asked.map(([, path]) => path);

it("loads what an own write changed once, whether its event comes before or after the answer", async () => {
  const { live } = await aPage();
  act(() => live.apply([aMovement()]));
  live.afterWrite(at(LINES));
  await pass(10_000);
  expect(pathsAsked()).toEqual([LINES]);

  live.afterWrite(at(LINES));
  await pass(50);
  expect(pathsAsked()).toEqual([LINES]);
  act(() => live.apply([aMovement({ version: 6 })]));
  await pass(10);
  expect(pathsAsked()).toEqual([LINES, LINES]);
  await pass(10_000);
  expect(pathsAsked()).toEqual([LINES, LINES]);
});

it("loads what an own write changed even if no event comes", async () => {
  const { live } = await aPage();
  live.afterWrite(at(LINES));
  await pass(900);
  expect(asked).toEqual([]);
  await pass(200);
  expect(pathsAsked()).toEqual([LINES]);
});

it("loads an answer for events from before the page was live, besides those that the pace allows", async () => {
  const { live } = await aPage();
  act(() => live.apply([aMovement()], true));
  await pass(1_000);
  await move(live, 2, 1_000);
  expect(pathsAsked()).toEqual([LINES, LINES, LINES]);
});
