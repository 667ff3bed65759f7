import { act, renderHook } from "@testing-library/react";
import { SWRConfig } from "swr";
import { beforeEach, expect, it, vi } from "vitest";
import type { LiveState } from "@/live/LiveClient";
import { useBell, useUnread } from "./notifications.api";

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
