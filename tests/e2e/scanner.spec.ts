/** A scanner ends its codes with Enter, with Tab or with no key: each code is recognized. */
import type { Page } from "@playwright/test";
import { expect, test, type Api } from "./fixtures";
import { approved, button, insideOf, openStation, scan, twoProcesses, type End } from "./station";

/** Scan until it is seen: under load the keys may arrive slower than a scanner sends them. */
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

test("a code opens its line at a station, with each way to end it", async ({ apiOf, pageOf }) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const page = await pageOf("worker");
  await openStation(page, process);
  const { line, code } = await approved(admin, 6);
  const opened = page.getByRole("dialog", { name: line.customerSalesOrderId });
  const qr = await qrOf(admin, code);
  const scans: [string, End][] = [
    [code, "Enter"],
    [code.replace("-", "'"), "Tab"],
    [qr, null],
    [`]Q1${qr}`, "Enter"],
  ];
  for (const [text, end] of scans) {
    // oxlint-disable no-await-in-loop -- one scan after the other
    await scanUntil(page, text, end, () => expect(opened).toBeVisible({ timeout: 3_000 }));
    await page.keyboard.press("Escape");
    await expect(opened).toHaveCount(0);
    // oxlint-enable no-await-in-loop
  }
});

test("a code opens its line from a list, and text in the search field opens nothing", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { line, code } = await approved(admin, 6);
  const qr = await qrOf(admin, code);
  const page = await pageOf("admin");
  await page.goto("/#/operations/orders");
  const search = page.getByRole("searchbox").first();
  await search.focus();
  await scan(page, "1-1", "Tab");
  await expect(search).not.toBeFocused();
  await expect(search).toHaveValue("1-1");
  await expect(page).toHaveURL(/#\/operations\/orders/);

  const place = new RegExp(`/sales-order/${line.salesOrderId}/position/1$`);
  const opens = (text: string, end: End) =>
    scanUntil(page, text, end, () => expect(page).toHaveURL(place, { timeout: 3_000 }));
  for (const [text, end] of [
    [code, null],
    [qr, "Tab"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one scan after the other
    await page.goto("/#/operations/orders");
    await page.getByRole("heading", { level: 1 }).click();
    await opens(text, end);
    // oxlint-enable no-await-in-loop
  }
  // The QR code of a sheet is recognized even within a field.
  await page.goto("/#/operations/sales-orders");
  await page.getByRole("searchbox").first().focus();
  await opens(qr, "Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(line.customerSalesOrderId);
});

test("the answer to a scan opens nothing once the pieces were moved", async ({ apiOf, pageOf }) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 6);
  const page = await pageOf("worker");
  const qr = await qrOf(admin, code);
  await openStation(page, process);
  await scan(page, code);
  const press = button(page, `Meter 6 a ${process.name}`);
  await expect(press).toBeFocused();
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/scan", async (route) => {
    await held;
    await route.continue();
  });
  const [asked, answered] = [page.waitForRequest("**/scan"), page.waitForResponse("**/scan")];
  await scan(page, qr);
  await asked;
  await press.click();
  await expect.poll(() => insideOf(worker, line)).toBe(6);
  answer();
  await answered;
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
