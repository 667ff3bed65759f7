/** A scanner ends its codes with Enter, with Tab or with nothing, as it is set: each is heard. */
import type { Page } from "@playwright/test";
import { expect, test, type Api } from "./fixtures";
import { approved, openStation, scan, twoProcesses, type End } from "./station";

const ENDS: [string, End][] = [
  ["Enter", "Enter"],
  ["Tab", "Tab"],
  ["nothing", null],
];

/** A machine under load types slower than any scanner, and then as a person would: scan it again. */
async function scanUntil(page: Page, code: string, end: End, seen: () => Promise<void>) {
  await expect(async () => {
    await scan(page, code, end);
    await seen();
  }).toPass();
}

const qrOf = async (api: Api, code: string) => {
  const [order, position] = code.split("-");
  const sheet = `/api/work-sheets/${order}/position/${position}`;
  return (await api.call<{ code: string }>("GET", sheet)).code;
};

for (const [name, end] of ENDS) {
  test(`a code that ends with ${name} opens its line at a station`, async ({ apiOf, pageOf }) => {
    const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
    const [process] = await twoProcesses(worker);
    const page = await pageOf("worker");
    await openStation(page, process);
    const { line, code } = await approved(admin, 6);
    const opened = page.getByRole("dialog", { name: line.customerSalesOrderId });
    const qr = await qrOf(admin, code);
    for (const text of [code, code.replace("-", "'"), qr, `]Q1${qr}`]) {
      // oxlint-disable-next-line no-await-in-loop -- one scan after the other
      await scanUntil(page, text, end, () => expect(opened).toBeVisible({ timeout: 3_000 }));
      // oxlint-disable-next-line no-await-in-loop
      await page.keyboard.press("Escape");
      // oxlint-disable-next-line no-await-in-loop
      await expect(opened).toHaveCount(0);
    }
  });

  test(`a code that ends with ${name} opens its line from a list`, async ({ apiOf, pageOf }) => {
    const admin = await apiOf("admin");
    const { line, code } = await approved(admin, 6);
    const page = await pageOf("admin");
    for (const text of [code, await qrOf(admin, code)]) {
      // oxlint-disable-next-line no-await-in-loop
      await page.goto("/#/operations/orders");
      // oxlint-disable-next-line no-await-in-loop
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      // oxlint-disable-next-line no-await-in-loop
      await page.getByRole("heading", { level: 1 }).click();
      // oxlint-disable-next-line no-await-in-loop
      await scanUntil(page, text, end, () =>
        expect(page).toHaveURL(new RegExp(`/sales-order/${line.salesOrderId}/position/1$`), {
          timeout: 3_000,
        }),
      );
    }
  });
}

test("what a person types into a list's search opens nothing, and Tab leads on", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  await page.goto("/#/operations/orders");
  const search = page.getByRole("searchbox").first();
  await search.focus();
  await scan(page, "1-1", "Tab");
  await expect(search).not.toBeFocused();
  await expect(search).toHaveValue("1-1");
  await expect(page).toHaveURL(/#\/operations\/orders/);
});
