import { beforeEach, describe, expect, it, vi } from "vitest";
import { InactivityWatch } from "./inactivity";

const MINUTES = 60_000;
let watch: InactivityWatch;
let ended: ReturnType<typeof vi.fn<() => void>>;

const after = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
const move = () => document.dispatchEvent(new MouseEvent("mousemove"));

/** Simulate activity in another tab, with the storage event that this tab gets. */
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
  it("starts the countdown after ten minutes, not before", () => {
    after(10 * MINUTES - 1);
    expect(watch.now).toEqual({ phase: "watching" });
    after(1);
    expect(watch.now).toEqual({ phase: "counting", progress: 0 });
  });

  it("counts ten steps, one a second, and ends the session 1.5 s after the last", () => {
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
    ["a mouse movement", move],
    ["a key", () => document.dispatchEvent(new KeyboardEvent("keydown"))],
    ["another tab", elsewhere],
  ])("starts again with %s", (_what, act) => {
    after(9 * MINUTES);
    act();
    after(9 * MINUTES);
    expect(watch.now).toEqual({ phase: "watching" });
    after(MINUTES);
    expect(watch.now.phase).toBe("counting");
  });

  it("continues the countdown when only the mouse moves", () => {
    after(10 * MINUTES + 3_000);
    move();
    expect(watch.now).toEqual({ phase: "counting", progress: 30 });
  });

  it("stops the countdown when the user stays, here or in another tab", () => {
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

  it("uses the stored time if the other tab's event is late", () => {
    after(9 * MINUTES);
    localStorage.setItem("lastActivity", String(Date.now()));
    after(MINUTES);
    expect(watch.now).toEqual({ phase: "watching" });
  });

  it("ends at once if the machine slept through the countdown", () => {
    after(10 * MINUTES);
    vi.setSystemTime(Date.now() + 60 * MINUTES);
    after(1_000);
    expect(watch.now).toEqual({ phase: "leaving" });
  });

  it("is not watched after `stop`", () => {
    watch.stop();
    after(11 * MINUTES);
    expect(watch.now).toEqual({ phase: "watching" });
  });
});
