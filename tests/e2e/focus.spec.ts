/** By keyboard alone: what has the focus is in sight, never under a bar. */
import type { Page } from "@playwright/test";
import { chooseCustomer, finished, lineOf } from "./billing";
import { expect, test } from "./fixtures";

/** The controls that were under the bar, or above the window, while they had the focus. */
async function hiddenFocus(page: Page, key: "Tab" | "Shift+Tab", steps: number): Promise<string[]> {
  const hidden: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press(key);
    // oxlint-disable-next-line no-await-in-loop
    const under = await page.evaluate(() => {
      const focused = document.activeElement;
      const bars = [...document.querySelectorAll(".ob-form-bar, .ob-selection, .ob-navbar")];
      if (focused === null || focused === document.body) return null;
      // The link to the content is drawn over the bar.
      if (focused.matches(".ob-skip") || bars.some((bar) => bar.contains(focused))) return null;
      const box = focused.getBoundingClientRect();
      const covered = bars.some((bar) => {
        const { top, bottom } = bar.getBoundingClientRect();
        return box.bottom > top + 1 && box.top < bottom - 1;
      });
      return covered
        ? `${focused.tagName} ${focused.getAttribute("aria-label") ?? focused.textContent}`
        : null;
    });
    if (under !== null) hidden.push(under);
  }
  return hidden;
}

test("the bar of a bill covers nothing that has the focus", async ({ apiOf, pageOf }) => {
  const { customer, order } = await finished(await apiOf("admin"), [10, 9, 8, 7, 6, 5, 4, 3]);
  const page = await pageOf("clerk");
  await page.goto("/#/reports/bills/new");
  await chooseCustomer(page, customer);
  await expect(lineOf(page, order)).toBeVisible();
  await page.getByRole("checkbox", { name: "Marcar todas" }).check();
  await page.getByLabel("Folio CFDI").focus();
  expect(await hiddenFocus(page, "Tab", 40)).toEqual([]);
  expect(await hiddenFocus(page, "Shift+Tab", 40)).toEqual([]);
});

test("the bar of what is chosen to pay covers nothing that has the focus", async ({ pageOf }) => {
  const page = await pageOf("admin");
  await page.goto("/#/reports/pay-orders?view=records");
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  await expect(page.getByRole("region", { name: "Registros elegidos" })).toBeVisible();
  expect(await hiddenFocus(page, "Tab", 60)).toEqual([]);
  expect(await hiddenFocus(page, "Shift+Tab", 60)).toEqual([]);
});
