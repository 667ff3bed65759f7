import { beforeEach, expect, it, vi } from "vitest";

const NOON = Date.parse("2026-03-14T12:00:00Z");
const at = (seconds: number) => new Date(NOON + seconds * 1_000).toISOString();

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

it("is the server's time, whatever the clock of this machine says", async () => {
  const { noteServerTime, serverTime } = await import("./serverTime");
  noteServerTime(at(3_600), NOON);
  expect(serverTime(NOON + 1_000)).toBe(NOON + 3_601_000);
});

it("is never before what the server has recorded, even if a slow answer set it back", async () => {
  const { noteRecorded, noteServerTime, serverTime } = await import("./serverTime");
  noteRecorded(at(4));
  noteServerTime(at(1), NOON + 5_000); // the answer took four seconds
  expect(serverTime(NOON + 5_000)).toBe(NOON + 4_000);
  expect(serverTime(NOON + 9_000)).toBe(NOON + 5_000);
});

it("follows a server whose clock was set back", async () => {
  const { noteRecorded, noteServerTime, serverTime } = await import("./serverTime");
  noteRecorded(at(3_600));
  noteServerTime(at(0), NOON);
  expect(serverTime(NOON)).toBe(NOON);
});
