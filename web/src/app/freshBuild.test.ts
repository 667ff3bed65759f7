import { expect, it, vi } from "vitest";
import { reloadAfterUpdate } from "./freshBuild";

it("loads the page anew when a file is gone, but not again and again", () => {
  const reload = vi.fn<() => void>();
  let now = 1_000_000;
  reloadAfterUpdate(() => now, reload);
  const fail = () => {
    const event = new Event("vite:preloadError", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(fail()).toBe(true);
  now += 59_999;
  expect(fail()).toBe(false);
  now += 2;
  expect(fail()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(2);
});

it("waits for the network before it loads the page anew", () => {
  sessionStorage.clear();
  const reload = vi.fn<() => void>();
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  reloadAfterUpdate(() => 2_000_000, reload);
  window.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
  expect(reload).not.toHaveBeenCalled();
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  expect(reload).toHaveBeenCalled();
});
