/** A scanner ends its codes with Enter, with Tab or with no key: each code is recognized. */
import type { Page } from "@playwright/test";
import { expect, test, type Api } from "./fixtures";
import { approved, openStation, scan, twoProcesses, type End } from "./station";

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
