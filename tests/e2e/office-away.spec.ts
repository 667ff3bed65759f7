/** The office without its server: each page opens from stored files, and says that it can only be read. */
import { expect, test } from "./fixtures";
import { keeping } from "./station";

test("a page of the office opens without a server and says that it can only be read", async ({
  browser,
  baseURL,
  pageOf,
}) => {
  const context = await keeping(browser, baseURL ?? "", await pageOf("sales"));
  const page = await context.newPage();
  await page.goto("/#/home");
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await page.reload();
  await expect(page.getByText("En vivo")).toBeVisible();
  await context.setOffline(true);
  await page.goto("/#/operations/orders");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("Sin conexión: solo lectura")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("En vivo")).toBeVisible();
  await expect(page.locator("tbody tr.ant-table-row").first()).toBeVisible();
  await context.close();
});
