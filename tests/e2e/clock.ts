/** The clock of a page, and when the plant's day ends. */
import type { Page } from "@playwright/test";

/** How long from `now` until the plant's midnight, in milliseconds. */
export const untilMidnight = (now: number) => {
  const timeZone = process.env.PLANT_TIME_ZONE ?? "America/Mexico_City";
  const shown = new Date(now).toLocaleTimeString("en-GB", { timeZone });
  return 86_400_000 - Date.parse(`1970-01-01T${shown}Z`);
};

/** A clock of the page's own, from which an hour can pass within one day of the plant. */
export async function installClock(page: Page): Promise<void> {
  const hour = 3_600_000;
  const now = Date.now();
  await page.clock.install({ time: untilMidnight(now) < hour ? now - hour : now });
}
