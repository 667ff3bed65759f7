import { beforeEach, expect, it, vi } from "vitest";
import { expireSession, getSession, storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { changeAndLeave } from "./ChangePasswordDialog";

beforeEach(() => {
  localStorage.clear();
  storeSession(aSession());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  return () => vi.useRealTimers();
});

it("keeps the session for two seconds, though the server has ended it", async () => {
  const changed = changeAndLeave(async () => {
    expireSession();
    return { changed: true };
  });
  expect(await changed).toBe(true);
  expireSession();
  vi.advanceTimersByTime(1_999);
  expect(getSession()).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(getSession()).toBeNull();
});

it("keeps the session where the change was refused", async () => {
  const refused = changeAndLeave(() => Promise.reject(new Error("No.")));
  await expect(refused).rejects.toThrow("No.");
  vi.advanceTimersByTime(3_000);
  expect(getSession()).not.toBeNull();
});

it("ends the session at once where the refusal was that it is over", async () => {
  const refused = changeAndLeave(() => {
    expireSession();
    return Promise.reject(new Error("No."));
  });
  await expect(refused).rejects.toThrow("No.");
  expect(getSession()).toBeNull();
});

it("does nothing while an earlier change is under way", async () => {
  expect(await changeAndLeave(() => Promise.resolve(undefined))).toBe(false);
  vi.advanceTimersByTime(3_000);
  expect(getSession()).not.toBeNull();
});
