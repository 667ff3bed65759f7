import { expect, it, vi } from "vitest";
import { reloadAfterUpdate } from "./freshBuild";

it("loads the page anew when a file is gone, but not again and again", () => {
  const reload = vi.fn<() => void>();
  vi.spyOn(window, "location", "get").mockReturnValue({ reload } as unknown as Location);
  let now = 1_000_000;
  reloadAfterUpdate(() => now);
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
