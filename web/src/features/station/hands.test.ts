// @vitest-environment node
import { expect, it } from "vitest";
import { Taps } from "./hands";

const tap = (taps: Taps, at: number, x = 200, y = 300, byPointer = true) => {
  taps.down(at);
  return taps.isMeant({ x, y, at: at + 40, byPointer });
};

it("ignores a tap after another one, on what appeared under the finger", () => {
  const taps = new Taps();
  expect(tap(taps, 1_000)).toBe(true);
  taps.change("line", 1_050);
  expect(tap(taps, 1_200, 230, 320)).toBe(false);
  expect(tap(taps, 1_800)).toBe(false); // the user goes on tapping
  expect(tap(taps, 2_600)).toBe(true);
});

it("accepts a tap elsewhere at once, and two taps on a key of the pad", () => {
  const taps = new Taps();
  tap(taps, 1_000);
  taps.change("line", 1_050);
  expect(tap(taps, 1_200, 600, 300)).toBe(true);
  expect(tap(taps, 1_350, 600, 300)).toBe(true);
});

it("ignores a tap that began before the screen changed", () => {
  const taps = new Taps();
  taps.down(1_000);
  taps.change("line", 1_050);
  expect(taps.isMeant({ x: 5, y: 5, at: 1_100, byPointer: true })).toBe(false);
});

it("ignores a second key press right after the first", () => {
  const taps = new Taps();
  const press = (at: number) => taps.isMeant({ x: 0, y: 0, at, byPointer: false });
  expect(press(1_000)).toBe(true);
  taps.change("line", 1_010);
  expect(press(1_200)).toBe(false);
  expect(press(2_000)).toBe(true);
});

it("sees no change if the same is shown", () => {
  const taps = new Taps();
  taps.change("line", 0);
  tap(taps, 1_000);
  taps.change("line", 1_050);
  expect(tap(taps, 1_100)).toBe(true);
});

it("accepts a tap at the same place as soon as another line was scanned", () => {
  const taps = new Taps();
  tap(taps, 1_000);
  taps.change("closed", 1_050);
  taps.forget();
  taps.change("line", 1_200);
  expect(tap(taps, 1_300)).toBe(true);
});
