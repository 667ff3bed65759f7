import { expect, it } from "vitest";
import { aLine, someInside } from "@/testing/lines";
import { daysHere } from "./columns";

// 06:00 of the 10th at the plant.
const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const inside = (...entries: string[]) =>
  daysHere(
    { inside: entries.map((since) => someInside({ since })), standing: aLine().standing },
    NOW,
  );

it("counts the plant's days since the oldest open entry", () => {
  expect(inside("2026-03-10T11:00:00.000Z")).toBe(0);
  expect(inside("2026-03-09T12:00:00.000Z")).toBe(1);
  expect(inside("2026-03-01T12:00:00.000Z", "2026-03-09T12:00:00.000Z")).toBe(9);
});

it("starts a day at the plant's midnight, not 24 hours after the entry", () => {
  expect(inside("2026-03-10T06:00:00.000Z"), "a minute past midnight").toBe(0);
  expect(inside("2026-03-10T05:59:00.000Z"), "a minute to midnight, seven hours ago").toBe(1);
});

it("counts from the last exit if nothing is inside, also past the last process", () => {
  const since = (hereSince: string | null) =>
    daysHere({ inside: [], standing: { ...aLine().standing, hereSince } }, NOW);
  expect(since("2026-03-07T12:00:00.000Z")).toBe(3);
  expect(since(null)).toBeNull();
});

it("is null if no piece has moved", () => {
  expect(inside()).toBeNull();
});

it("counts an entry stamped slightly ahead as today's", () => {
  expect(inside("2026-03-10T12:00:01.000Z")).toBe(0);
  expect(inside("2026-03-11T06:00:01.000Z")).toBe(0);
});
