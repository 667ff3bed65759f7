import { act, renderHook } from "@testing-library/react";
import { SWRConfig } from "swr";
import { beforeEach, expect, it, vi } from "vitest";
import type { LiveState } from "@/live/LiveClient";
import { useBell, useMarkRead, useUnread } from "./notifications.api";

const MINUTE = 60_000;
let state: LiveState = "live";
vi.mock("@/live/LiveProvider", () => ({ useLiveStatus: () => ({ state }) }));

const ask = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", ask);
  ask.mockReset();
  ask.mockImplementation(
    async () => new Response("[]", { headers: { "Content-Type": "application/json" } }),
  );
  return () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

const after = (minutes: number) => act(() => vi.advanceTimersByTimeAsync(minutes * MINUTE));
const shown = (hook: () => unknown) =>
  renderHook(hook, {
    wrapper: ({ children }) => (
      <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
    ),
  });

it.each(["visible", "hidden"] as const)("loads every ten minutes in a %s tab", async (visible) => {
  state = "live";
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(visible);
  shown(useUnread);
  await after(0);
  expect(ask).toHaveBeenCalledTimes(1);
  await after(9);
  expect(ask).toHaveBeenCalledTimes(1);
  await after(1);
  expect(ask).toHaveBeenCalledTimes(2);
  await after(10);
  expect(ask).toHaveBeenCalledTimes(3);
});

it("makes one call every ten minutes: events keep the notices fresh", async () => {
  state = "live";
  shown(() => [useUnread(), useBell()]);
  await after(0);
  expect(ask).toHaveBeenCalledTimes(2);
  await after(30);
  expect(ask).toHaveBeenCalledTimes(2 + 3);
});

it("makes no call while the live client itself loads everything every ten minutes", async () => {
  state = "polling";
  shown(useUnread);
  await after(30);
  expect(ask).toHaveBeenCalledTimes(1);
});

it.each([200, 500])(
  "takes a notification out of the bell at the press, and puts it back after a refusal (%i)",
  async (status) => {
    const rows = [{ id: 1 }, { id: 2 }];
    let answer = (_response: Response) => {};
    ask.mockImplementation(async (request) =>
      (request as Request).method === "GET"
        ? Response.json(rows)
        : new Promise<Response>((resolve) => {
            answer = resolve;
          }),
    );
    state = "polling";
    const { result } = shown(() => ({ unread: useUnread().data, ...useMarkRead() }));
    await after(0);
    const { unread, markRead } = result.current as ReturnType<typeof useMarkRead> & {
      unread: { id: number }[];
    };
    expect(unread).toEqual(rows);
    const ids = () => (result.current as { unread: { id: number }[] }).unread.map(({ id }) => id);
    let done: Promise<unknown> = Promise.resolve();
    await act(async () => {
      done = markRead(1).catch((reason: unknown) => reason);
    });
    expect(ids()).toEqual([2]);
    await act(async () => {
      answer(
        Response.json({ code: "server_error", message: "No", params: {}, errors: [] }, { status }),
      );
      await done;
    });
    expect(ids()).toEqual(status === 200 ? [2] : [1, 2]);
  },
);
