/** A station without its server: it keeps and sends movements, and updates to a new release. */
import type { BrowserContext } from "@playwright/test";
import type { Line } from "@/contract";
import { expect, test as base, type Api } from "./fixtures";
import { ReleaseServer } from "./releases";
import {
  approved,
  button,
  insideOf,
  keeping,
  openKept,
  scan,
  twoProcesses,
  type Process,
} from "./station";

/** The browser may take long to end the old service worker. */
const PATIENCE = { timeout: 30_000 };

interface Kept {
  admin: Api;
  worker: Api;
  /** A process that the worker works in. */
  process: Process;
  /** A browser that keeps the client's files, signed in as the worker. */
  kept: BrowserContext;
}

const test = base.extend<Kept>({
  admin: async ({ apiOf }, use) => use(await apiOf("admin")),
  worker: async ({ apiOf }, use) => use(await apiOf("worker")),
  process: async ({ worker }, use) => use((await twoProcesses(worker))[0]),
  kept: async ({ pageOf, browser, baseURL }, use) => {
    const context = await keeping(browser, baseURL ?? "", await pageOf("worker"));
    await use(context);
    await context.close();
  },
});

test("a station works offline, after a reload too, and then reports the movement that was refused", async ({
  admin,
  worker,
  process,
  kept,
}) => {
  const [good, bad, older] = [
    await approved(admin, 7),
    await approved(admin, 5),
    await approved(admin, 4),
  ];
  await worker.move("in", older.line, process.id);
  const page = await kept.newPage();
  await openKept(page, process);
  const row = ({ line }: { line: Line }) =>
    page
      .getByRole("region", { name: "Listas" })
      .getByRole("button", { name: new RegExp(line.customerSalesOrderId) });
  await expect(row(good)).toBeVisible();
  await expect(row(bad)).toBeVisible();
  const undo = button(page, `Deshacer: Entraron 4, ${older.line.customerSalesOrderId}`);
  await expect(undo).toBeVisible();
  await kept.setOffline(true);
  await expect(page.getByText(/^Sin conexión: datos de las/)).toBeVisible();
  await undo.click();
  const undone = page.getByText("Se deshará al volver la conexión");
  await expect(undone).toBeVisible();
  await expect(undo).toHaveCount(0);
  await scan(page, good.code);
  await button(page, `Meter 7 a ${process.name}`).click();

  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: process.name })).toBeVisible();
  await expect(page.getByText("2 movimientos por enviar")).toBeVisible();
  await scan(page, good.code);
  await button(page, "½ · 4").click();
  await button(page, `Sacar 4 de ${process.name}`).first().click();
  await row(bad).click();
  await button(page, `Meter 5 a ${process.name}`).click();
  await expect(page.getByText("4 movimientos por enviar")).toBeVisible();
  const last = page.getByRole("complementary", { name: "Su último movimiento" });
  await expect(last, "what waits is newer").toHaveCount(0);
  await scan(page, "999999-1");
  const unread = page.getByText(/Sin conexión: esa línea no está/);
  await expect(unread).toBeVisible();
  // Another person moves these pieces into another process.
  const [, elsewhere] = await twoProcesses(worker);
  await admin.move("in", bad.line, elsewhere.id);
  await kept.setOffline(false);
  await expect.poll(() => insideOf(worker, older.line)).toBe(0);
  await expect.poll(() => insideOf(worker, good.line)).toBe(3);
  await expect(undone).toHaveCount(0);
  await expect(page.getByText("1 movimiento rechazado")).toBeVisible();
  await expect(page.getByText(/El servidor no lo aceptó:/)).toBeVisible();
  // The screen changes once more, and a tap that it surprises does nothing.
  await expect(last).toContainText(good.line.customerSalesOrderId);
  await expect(unread).toHaveCount(0);
  await button(page, "Quitar").click();
  await button(page, "Sí, quitar").click();
  await expect(page.getByText("1 movimiento rechazado")).toHaveCount(0);
});

test("a station updates to a new release once nobody uses it, and keeps its unsent movement", async ({
  admin,
  worker,
  process,
  pageOf,
  browser,
  baseURL,
}) => {
  const { line, code } = await approved(admin, 9);
  test.slow();
  const server = new ReleaseServer(baseURL ?? "");
  await server.start("first");
  const context = await keeping(browser, server.url, await pageOf("worker"));
  const page = await context.newPage();
  const released = () => page.locator("meta[name=release]").getAttribute("content");
  await page.clock.install();
  await openKept(page, process);
  await expect(page.getByText(line.customerSalesOrderId).first()).toBeVisible();
  expect(await released()).toBe("first");
  await context.setOffline(true);
  await server.stop();
  await scan(page, code);
  await button(page, `Meter 9 a ${process.name}`).click();
  await expect(page.getByText("1 movimiento por enviar")).toBeVisible();
  await server.start("second", /\/production-process\//);
  await context.setOffline(false);
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  expect(await released()).toBe("first");
  // The station updates only after half a minute without a touch.
  await expect
    .poll(async () => {
      await page.clock.fastForward(10_000);
      return released();
    }, PATIENCE)
    .toBe("second");
  await expect(page.getByRole("heading", { level: 1, name: process.name })).toBeVisible();
  await expect(page.getByText("1 movimiento por enviar")).toBeVisible();
  server.answerAll();
  await expect
    .poll(async () => {
      await page.clock.fastForward(2_000);
      return insideOf(worker, line);
    }, PATIENCE)
    .toBe(9);
  await expect(page.getByText("1 movimiento por enviar")).toHaveCount(0);
  await context.close();
  await server.stop();
});
