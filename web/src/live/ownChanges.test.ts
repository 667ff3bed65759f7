// @vitest-environment node
import { beforeEach, expect, it } from "vitest";
import type { Line } from "@/contract";
import { aLine, aMovement } from "@/testing/lines";
import { markOwnWrite, isOwnChange } from "./ownChanges";

const ME = 8; // the user who moves in `aMovement`
let position = 0;
const here = () => ({ salesOrderId: 1, position });
const event = () => aMovement({ ...here(), version: 5 });

// Each test uses a different line: own writes are remembered as long as the module is loaded.
beforeEach(() => {
  position += 1;
});

it("does not count another user's change as its own", () => {
  expect(isOwnChange(event(), ME + 1)).toBe(false);
});

it("recognizes its own change before and after the answer", async () => {
  let answer: (line: Line) => void = () => undefined;
  const work = markOwnWrite(here(), new Promise<Line>((resolve) => (answer = resolve)));
  expect(isOwnChange(event(), ME)).toBe(true);
  answer(aLine({ version: 5 }));
  await work;
  expect(isOwnChange(event(), ME)).toBe(true);
});

it("does not count the same user's change on another screen as its own", async () => {
  await markOwnWrite(here(), Promise.resolve(aLine({ version: 4 })));
  expect(isOwnChange(event(), ME)).toBe(false);
});

it("forgets a refused write", async () => {
  await expect(markOwnWrite(here(), Promise.reject(new Error("409")))).rejects.toThrow("409");
  expect(isOwnChange(event(), ME)).toBe(false);
});
