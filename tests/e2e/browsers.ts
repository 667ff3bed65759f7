/** The browsers in which the journeys are walked, kept between them. */
import type { Browser, BrowserContext } from "@playwright/test";

/** Where the screens are looked at: an office, a wall, a small phone and a usual one, and the floor's tablet. */
export const SIZES = {
  office: { width: 1440, height: 900 },
  wall: { width: 1920, height: 1080 },
  phone: { width: 360, height: 740 },
  handheld: { width: 390, height: 844 },
  tablet: { width: 800, height: 1280 },
} as const;
export type Size = keyof typeof SIZES;

/**
 * Browsers that know the client's files already, as those of people who come back: a new one fetches and compiles them
 * anew, which costs seconds a journey. Each has a first page that stays: it keeps the process in which the journeys'
 * pages are drawn, and what that has compiled. What a journey stored is gone before the next begins.
 */
export class Browsers {
  readonly #free = new Map<Size, BrowserContext[]>();
  readonly #browser: Browser;
  readonly #baseURL: string;

  constructor(browser: Browser, baseURL: string) {
    this.#browser = browser;
    this.#baseURL = baseURL;
  }

  /** A browser of this size; a new one, which knows no files, where `fresh`. */
  async take(
    size: Size,
    storage: Record<string, string> = {},
    fresh = false,
  ): Promise<BrowserContext> {
    const kept = fresh ? undefined : this.#free.get(size)?.pop();
    const context = kept ?? (await this.#open(size));
    // By the page that stays: Playwright's setStorageState forgets the files as well.
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
      // What a journey keeps from the network must not come from what an earlier one stored.
      serviceWorkers: "block",
    });
    await (await context.newPage()).goto("/favicon.svg");
    return context;
  }
}
