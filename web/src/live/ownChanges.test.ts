// @vitest-environment node
import { beforeEach, expect, it } from "vitest";
import type { Line } from "@/contract";
import { aLine, aMovement } from "@/testing/lines";
import { markOwnWrite, isOwnChange } from "./ownChanges";

const ME = 8; // who moves in `aMovement`
let position = 0;
const here = () => ({ salesOrderId: 1, position });
const event = () => aMovement({ ...here(), version: 5 });

// Each test has a line of its own: what a screen did is remembered as long as it is open.
beforeEach(() => {
  position += 1;
});

it("takes another person's change for what it is", () => {
  expect(isOwnChange(event(), ME + 1)).toBe(false);
});

it("knows its own change before the answer and after it", async () => {
  let answer: (line: Line) => void = () => undefined;
  const work = markOwnWrite(here(), new Promise<Line>((resolve) => (answer = resolve)));
  expect(isOwnChange(event(), ME)).toBe(true);
  answer(aLine({ version: 5 }));
  await work;
  expect(isOwnChange(event(), ME)).toBe(true);
});

it("notices the same person on another screen", async () => {
  await markOwnWrite(here(), Promise.resolve(aLine({ version: 4 })));
  expect(isOwnChange(event(), ME)).toBe(false);
});

it("owns nothing of a refused change", async () => {
  await expect(markOwnWrite(here(), Promise.reject(new Error("409")))).rejects.toThrow("409");
  expect(isOwnChange(event(), ME)).toBe(false);
});
