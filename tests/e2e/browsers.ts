/** Browser contexts that the journeys share. */
import type { Browser, BrowserContext } from "@playwright/test";

/** Viewports: an office, a wall, a small phone, a usual phone, and the tablet of the shop floor. */
export const SIZES = {
  office: { width: 1440, height: 900 },
  wall: { width: 1920, height: 1080 },
  phone: { width: 360, height: 740 },
  handheld: { width: 390, height: 844 },
  tablet: { width: 800, height: 1280 },
} as const;
export type Size = keyof typeof SIZES;

/**
 * A pool of browser contexts that have cached the client's files: a new context fetches and compiles them, which takes
 * seconds. The first page of each context stays open, to keep the renderer process and its compiled code. Local storage is
 * cleared before the next journey.
 */
export class Browsers {
  readonly #free = new Map<Size, BrowserContext[]>();
  readonly #browser: Browser;
  readonly #baseURL: string;

  constructor(browser: Browser, baseURL: string) {
    this.#browser = browser;
    this.#baseURL = baseURL;
  }

  /** A context of this size with this local storage. `fresh`: a new one with an empty cache. */
  async take(
    size: Size,
    storage: Record<string, string> = {},
    fresh = false,
  ): Promise<BrowserContext> {
    const kept = fresh ? undefined : this.#free.get(size)?.pop();
    const context = kept ?? (await this.#open(size));
    // Use the first page: Playwright's setStorageState would clear the cached files too.
    await context.pages()[0]!.evaluate((entries) => {
      localStorage.clear();
      for (const [name, value] of entries) localStorage.setItem(name, value);
    }, Object.entries(storage));
    return context;
  }

  async giveBack(context: BrowserContext, size: Size): Promise<void> {
    const [, ...opened] = context.pages();
    await Promise.all(opened.map((page) => page.close()));
    await context.unrouteAll();
    await context.setOffline(false);
    this.#free.set(size, [...(this.#free.get(size) ?? []), context]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#free.values()].flat().map((context) => context.close()));
  }

  async #open(size: Size): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: SIZES[size],
      hasTouch: size === "tablet",
      reducedMotion: "reduce",
      baseURL: this.#baseURL,
      // A journey that blocks the network must not get the files that an earlier one stored.
      serviceWorkers: "block",
    });
    await (await context.newPage()).goto("/favicon.svg");
    return context;
  }
}
