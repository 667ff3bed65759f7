/** The call that a page sends before its code is loaded. */
import { beforeEach, expect, it, vi } from "vitest";
import { signOut, storeSession } from "@/shared/session/session";
import { aSession, aToken } from "@/testing/builders";
import { askEarly, takeEarly } from "./early";

const asked: string[] = [];

beforeEach(() => {
  signOut();
  asked.length = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({});
  });
  vi.useFakeTimers({ now: new Date("2026-03-15T05:30:00Z"), toFake: ["Date"] });
  storeSession(aSession());
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

it("asks for the start of the stored session, and gives its answer once", async () => {
  askEarly();
  expect(asked).toHaveLength(1);
  expect((await takeEarly(aToken()))?.status).toBe(200);
  expect(takeEarly(aToken())).toBeUndefined();
});

it.each([
  ["of another day of the plant", () => vi.setSystemTime(new Date("2026-03-15T06:00:01Z"))],
  ["without one of its parts", () => localStorage.removeItem("userData")],
])("asks for nothing with a session %s", (_, change) => {
  change();
  askEarly();
  expect(asked).toEqual([]);
  expect(takeEarly(aToken())).toBeUndefined();
});
