import { expect, it } from "vitest";
import { aLine, someInside } from "@/testing/lines";
import { piecesByProcess } from "../line/pieces";
import { daysInside } from "./columns";

// 06:00 of the 10th at the plant.
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

it("starts a day at the plant's midnight, not 24 hours after the entry", () => {
  expect(inside("2026-03-10T06:00:00.000Z"), "a minute past midnight").toBe(0);
  expect(inside("2026-03-10T05:59:00.000Z"), "a minute to midnight, seven hours ago").toBe(1);
});

it("is null if nothing is inside", () => {
  expect(inside()).toBeNull();
});

it("counts an entry stamped slightly ahead as today's", () => {
  expect(inside("2026-03-10T12:00:01.000Z")).toBe(0);
  expect(inside("2026-03-11T06:00:01.000Z")).toBe(0);
});
