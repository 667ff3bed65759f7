import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { pendingReads } from "@/shared/session/pendingReads";
import { usePendingReads } from "./NotificationBell";
import { markRead } from "./notifications.api";

vi.mock("./notifications.api", () => ({ markRead: vi.fn<(id: number) => Promise<unknown>>() }));

const after = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const sent = () => vi.mocked(markRead).mock.calls.map(([id]) => id);

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  vi.mocked(markRead)
    .mockReset()
    .mockResolvedValue({} as never);
  return () => vi.useRealTimers();
});

it("sends pending marks one at a time, 500 ms apart, and forgets each", async () => {
  localStorage.setItem("pendingReadNotifications", "[4,5,6]");
  renderHook(usePendingReads);
  await after(0);
  expect(sent()).toEqual([4]);
  expect(pendingReads()).toEqual([5, 6]);
  await after(499);
  expect(sent()).toEqual([4]);
  await after(1);
  expect(sent()).toEqual([4, 5]);
  await after(500);
  expect(sent()).toEqual([4, 5, 6]);
  expect(localStorage.getItem("pendingReadNotifications")).toBe("[]");
  expect(localStorage.getItem("pendingReadNotificationsFlag")).toBe("false");
});

it("continues after a failure and keeps the mark that failed", async () => {
  vi.mocked(markRead).mockRejectedValueOnce(new Error("No."));
  localStorage.setItem("pendingReadNotifications", "[4,5]");
  renderHook(usePendingReads);
  await after(500);
  expect(sent()).toEqual([4, 5]);
  expect(pendingReads()).toEqual([4]);
});

it("treats a malformed list as empty", async () => {
  localStorage.setItem("pendingReadNotifications", "{4");
  renderHook(usePendingReads);
  await after(1_000);
  expect(sent()).toEqual([]);
});
