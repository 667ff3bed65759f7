/** The clock of a page, and the time until the plant's midnight. */
import type { Page } from "@playwright/test";

/** The milliseconds from `now` until midnight in the plant. */
export const untilMidnight = (now: number) => {
  const timeZone = process.env.PLANT_TIME_ZONE ?? "America/Mexico_City";
  const shown = new Date(now).toLocaleTimeString("en-GB", { timeZone });
  return 86_400_000 - Date.parse(`1970-01-01T${shown}Z`);
};

/** Install a fake clock in the page. It starts at least an hour before midnight in the plant. */
export async function installClock(page: Page): Promise<void> {
  const hour = 3_600_000;
  const now = Date.now();
  await page.clock.install({ time: untilMidnight(now) < hour ? now - hour : now });
}
