/** A station without its server: nothing is lost, and nothing stands in the way. */
import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { Line } from "@/contract";
import { expect, test } from "./fixtures";
import { approved, button, insideOf, openStation, scan, twoProcesses } from "./station";

/** A browser that keeps the client's files, signed in as whoever looks at `lent`. */
async function keeping(browser: Browser, baseURL: string, lent: Page): Promise<BrowserContext> {
  const { origins } = await lent.context().storageState();
  return browser.newContext({
    baseURL,
    reducedMotion: "reduce",
    storageState: {
      cookies: [],
      origins: origins.map(({ localStorage }) => ({ origin: baseURL, localStorage })),
    },
  });
}

const kept = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);

test("without the server the station goes on, and tells what was refused meanwhile", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const [good, bad] = [await approved(admin, 7), await approved(admin, 5)];
  const page = await pageOf("worker");
  await openStation(page, process);
  const row = ({ line }: { line: Line }) =>
    page
      .getByRole("region", { name: "Por entrar" })
      .getByRole("button", { name: new RegExp(line.customerSalesOrderId) });
  await expect(row(good)).toBeVisible();
  await expect(row(bad)).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^Sin conexión: datos de las/)).toBeVisible();
  await scan(page, good.code);
  await button(page, `Meter 7 a ${process.name}`).click();
  await scan(page, good.code);
  await button(page, "½ · 4").click();
  await button(page, `Sacar 4 de ${process.name}`).first().click();
  await row(bad).click();
  await button(page, `Meter 5 a ${process.name}`).click();
  await expect(page.getByText("3 movimientos por enviar")).toBeVisible();
  // Somebody else takes these pieces elsewhere meanwhile.
  const [, elsewhere] = await twoProcesses(worker);
  await admin.move("in", bad.line, elsewhere.id);
  await page.context().setOffline(false);
  await expect.poll(() => insideOf(worker, good.line)).toBe(3);
  await expect(page.getByText("1 movimiento rechazado")).toBeVisible();
  await expect(page.getByText(/El servidor no lo aceptó:/)).toBeVisible();
  await button(page, "Quitar").click();
  await button(page, "Sí, quitar").click();
  await expect(page.getByText("1 movimiento rechazado")).toHaveCount(0);
});

test("loaded anew without a server the station opens, and what waits is sent later", async ({
  apiOf,
  pageOf,
  browser,
  baseURL,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 9);
  const lent = await pageOf("worker");
  const context = await keeping(browser, baseURL ?? "", lent);
  const page = await context.newPage();
  await openStation(page, process);
  await kept(page);
  await expect(page.getByText(line.customerSalesOrderId).first()).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: process.name })).toBeVisible();
  await scan(page, code);
  await button(page, `Meter 9 a ${process.name}`).click();
  await expect(page.getByText("1 movimiento por enviar")).toBeVisible();
  await page.reload();
  await expect(page.getByText("1 movimiento por enviar")).toBeVisible();
  await context.setOffline(false);
  await expect.poll(() => insideOf(worker, line)).toBe(9);
  await expect(page.getByText("1 movimiento por enviar")).toHaveCount(0);
  await context.close();
});
