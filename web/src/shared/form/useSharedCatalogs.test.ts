import { beforeEach, expect, it, vi } from "vitest";
import type { SharedCatalog } from "@/contract";

const LIST = [{ key: "currencies", entries: [] }] as SharedCatalog[];

async function freshModule() {
  vi.resetModules();
  return import("./useSharedCatalogs");
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-03-14T18:00:00Z"), toFake: ["Date"] });
  return () => vi.useRealTimers();
});

it("starts empty, and is loaded once a day", async () => {
  const { getSharedCatalogs, loadSharedCatalogs } = await freshModule();
  expect(getSharedCatalogs()).toEqual({ loading: false, list: [], dateUpdate: "" });
  const load = vi.fn<() => Promise<SharedCatalog[]>>().mockResolvedValue(LIST);
  await Promise.all([loadSharedCatalogs(load), loadSharedCatalogs(load)]);
  await loadSharedCatalogs(load);
  expect(load).toHaveBeenCalledTimes(1);
  expect(getSharedCatalogs()).toEqual({ loading: false, list: LIST, dateUpdate: "2026-03-14" });
  vi.setSystemTime(new Date("2026-03-15T18:00:00Z"));
  await loadSharedCatalogs(load);
  expect(load).toHaveBeenCalledTimes(2);
});

it("resets `loading` after a failure, and keeps the old list", async () => {
  const { getSharedCatalogs, loadSharedCatalogs } = await freshModule();
  await expect(loadSharedCatalogs(() => Promise.reject(new Error("No.")))).rejects.toThrow("No.");
  expect(getSharedCatalogs()).toEqual({ loading: false, list: [], dateUpdate: "" });
  await loadSharedCatalogs(() => Promise.resolve(LIST));
  expect(getSharedCatalogs().list).toBe(LIST);
});
