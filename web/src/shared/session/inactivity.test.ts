import { beforeEach, describe, expect, it, vi } from "vitest";
import { InactivityWatch } from "./inactivity";

const MINUTES = 60_000;
let watch: InactivityWatch;
let ended: ReturnType<typeof vi.fn<() => void>>;

const after = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
const move = () => document.dispatchEvent(new MouseEvent("mousemove"));

/** What another tab did, as this one is notified of it. */
function elsewhere(): void {
  const newValue = String(Date.now());
  localStorage.setItem("lastActivity", newValue);
  window.dispatchEvent(new StorageEvent("storage", { key: "lastActivity", newValue }));
}

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: new Date("2026-03-14T12:00:00Z") });
  ended = vi.fn<() => void>();
  watch = new InactivityWatch(ended);
  watch.start();
  return () => {
    watch.stop();
    vi.useRealTimers();
  };
});

describe("inactivity", () => {
  it("is asked about after ten minutes, not before", () => {
    after(10 * MINUTES - 1);
    expect(watch.now).toEqual({ phase: "watching" });
    after(1);
    expect(watch.now).toEqual({ phase: "counting", progress: 0 });
  });

  it("counts in steps of ten a second, and ends the session 1.5 s after the last", () => {
    after(10 * MINUTES);
    const seen: unknown[] = [];
    watch.subscribe(() => seen.push(watch.now));
    after(10_000);
    const steps = [10, 20, 30, 40, 50, 60, 70, 80, 90];
    expect(seen).toEqual([
      ...steps.map((progress) => ({ phase: "counting", progress })),
      { phase: "leaving" },
    ]);
    after(1_499);
    expect(ended).not.toHaveBeenCalled();
    after(1);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["a mouse that moves", move],
    ["a key", () => document.dispatchEvent(new KeyboardEvent("keydown"))],
    ["another tab", elsewhere],
  ])("begins anew with %s", (_what, act) => {
    after(9 * MINUTES);
    act();
    after(9 * MINUTES);
    expect(watch.now).toEqual({ phase: "watching" });
    after(MINUTES);
    expect(watch.now.phase).toBe("counting");
  });

  it("is not answered by the mouse alone, once it was asked", () => {
    after(10 * MINUTES + 3_000);
    move();
    expect(watch.now).toEqual({ phase: "counting", progress: 30 });
  });

  it("is answered by staying, here and in the other tabs", () => {
    after(10 * MINUTES + 3_000);
    watch.stay();
    expect(watch.now).toEqual({ phase: "watching" });
    expect(Number(localStorage.getItem("lastActivity"))).toBe(Date.now());
    after(10 * MINUTES);
    expect(watch.now.phase).toBe("counting");
    elsewhere();
    expect(watch.now).toEqual({ phase: "watching" });
    after(20_000);
    expect(ended).not.toHaveBeenCalled();
  });

  it("believes what is written down where the other tab's word came late", () => {
    after(9 * MINUTES);
    localStorage.setItem("lastActivity", String(Date.now()));
    after(MINUTES);
    expect(watch.now).toEqual({ phase: "watching" });
  });

  it("is over at once where the machine slept through the countdown", () => {
    after(10 * MINUTES);
    vi.setSystemTime(Date.now() + 60 * MINUTES);
    after(1_000);
    expect(watch.now).toEqual({ phase: "leaving" });
  });

  it("is watched no more after the end", () => {
    watch.stop();
    after(11 * MINUTES);
    expect(watch.now).toEqual({ phase: "watching" });
  });
});
