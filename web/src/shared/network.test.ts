import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reloadOnStaleBuild } from "./network";

const reload = vi.fn<() => void>();
let now = 1_000_000;
const fail = () => reloadOnStaleBuild({ now: () => now, reload });

beforeEach(() => {
  sessionStorage.clear();
  reload.mockClear();
  vi.stubGlobal("fetch", async () => new Response(""));
});
afterEach(() => vi.unstubAllGlobals());

it("reloads the application when a file is gone, at most once a minute", async () => {
  await fail();
  now += 59_999;
  await fail();
  expect(reload).toHaveBeenCalledTimes(1);
  now += 2;
  await fail();
  expect(reload).toHaveBeenCalledTimes(2);
});

it("reloads at once when the user asks", async () => {
  await fail();
  await reloadOnStaleBuild({ byHand: true, now: () => now, reload });
  expect(reload).toHaveBeenCalledTimes(2);
});

it("does not reload if the server does not answer", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  await fail();
  expect(reload).not.toHaveBeenCalled();
});

it("does not reload over unsaved input", async () => {
  const ask = (event: Event) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  await fail();
  window.removeEventListener("beforeunload", ask);
  expect(reload).not.toHaveBeenCalled();
});
