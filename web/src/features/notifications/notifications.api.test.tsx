import { act, renderHook } from "@testing-library/react";
import { SWRConfig } from "swr";
import { expect, it, vi } from "vitest";
import { useUnread } from "./notifications.api";

const MINUTE = 60_000;

it.each(["visible", "hidden"] as const)("loads every ten minutes in a %s tab", async (state) => {
  vi.useFakeTimers();
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  const answer = async () =>
    new Response("[]", { headers: { "Content-Type": "application/json" } });
  const ask = vi.fn<typeof fetch>(answer);
  vi.stubGlobal("fetch", ask);
  const after = (minutes: number) => act(() => vi.advanceTimersByTimeAsync(minutes * MINUTE));
  try {
    renderHook(useUnread, {
      wrapper: ({ children }) => (
        <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
      ),
    });
    await after(0);
    expect(ask).toHaveBeenCalledTimes(1);
    await after(9);
    expect(ask).toHaveBeenCalledTimes(1);
    await after(1);
    expect(ask).toHaveBeenCalledTimes(2);
    await after(10);
    expect(ask).toHaveBeenCalledTimes(3);
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
});
