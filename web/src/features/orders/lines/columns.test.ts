import { expect, it } from "vitest";
import { aLine, someInside } from "@/testing/lines";
import { piecesByProcess } from "../line/pieces";
import { daysInside } from "./columns";

// Six in the morning of the 10th in the plant.
const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const inside = (...entries: string[]) =>
  daysInside(
    piecesByProcess(aLine({ inside: entries.map((since) => someInside({ since })) })),
    NOW,
  );

it("counts the plant's days since the oldest open entry", () => {
  expect(inside("2026-03-10T11:00:00.000Z")).toBe(0);
  expect(inside("2026-03-09T12:00:00.000Z")).toBe(1);
  expect(inside("2026-03-01T12:00:00.000Z", "2026-03-09T12:00:00.000Z")).toBe(9);
});

it("begins a day at the plant's midnight, not a day's length after the entry", () => {
  expect(inside("2026-03-10T06:00:00.000Z"), "a minute past midnight").toBe(0);
  expect(inside("2026-03-10T05:59:00.000Z"), "a minute to midnight, seven hours ago").toBe(1);
});

it("says nothing where nothing is inside", () => {
  expect(inside()).toBeNull();
});

it("takes an entry stamped a moment ahead for today's", () => {
  expect(inside("2026-03-10T12:00:01.000Z")).toBe(0);
  expect(inside("2026-03-11T06:00:01.000Z")).toBe(0);
});
