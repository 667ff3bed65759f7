/** Wall displays: paired by a code, past midnight, revoked; and presence on a line. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "@playwright/test";
import { expect, SIZES, test, unique, type Api } from "./fixtures";

/** A wall display where nobody is signed in. */
async function wallOf(browser: Browser, baseURL = ""): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: SIZES.wall,
    reducedMotion: "reduce",
    locale: "es-MX",
  });
  return context.newPage();
}

const codeOn = async (wall: Page): Promise<string> => {
  const code = wall.getByRole("status", { name: "Código de la pantalla" });
  await expect(code).toHaveText(/^[A-Z]{6}$/);
  return code.innerText();
};

/** Move the pieces of a new order into a process. Return the order's PO, and a function that moves them out. */
async function inside(
  api: Api,
  processId: number,
): Promise<{ po: string; moveOut: () => unknown }> {
  const order = await api.order(7);
  const line = await api.approve(order.id);
  await api.move("in", line, processId);
  return { po: order.customerSalesOrderId, moveOut: () => api.move("out", line, processId) };
}

async function processes(api: Api): Promise<[number, number]> {
  const rows = await api.call<{ id: number }[]>("GET", "/api/production-processes?ordering=order");
  return [rows[0]!.id, rows[1]!.id];
}

async function named(api: Api, code: string, lanes: number[]): Promise<number> {
  const body = { code, name: `Muro ${unique()}`, productionProcessIds: lanes };
  return (await api.call<{ id: number }>("POST", "/api/displays", body)).id;
}

test("a display is paired by its code, follows its lanes and the shop, and is revoked", async ({
  apiOf,
  pageOf,
  browser,
  baseURL,
}) => {
  const api = await apiOf("admin");
  const [first, second] = await processes(api);
  const here = await inside(api, first);
  const elsewhere = await inside(api, second);
  const wall = await wallOf(browser, baseURL);
  await wall.goto("/#/display");
  const code = await codeOn(wall);
  const { violations } = await new AxeBuilder({ page: wall }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  const name = `Entrada ${unique()}`;
  const admin = await pageOf("admin");
  await admin.goto("/#/administration/displays");
  await admin.getByRole("button", { name: "Enlazar una pantalla" }).first().click();
  const drawer = admin.getByRole("dialog", { name: "Enlazar una pantalla" });
  await drawer.getByLabel("Código que muestra la pantalla").fill("AAAAAA");
  await drawer.getByLabel("Nombre").fill(name);
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer.getByText(/Ninguna pantalla muestra este código/)).toBeVisible();
  await drawer.getByLabel("Código que muestra la pantalla").fill(code.toLowerCase());
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer).toBeHidden();

  const row = admin.getByRole("row").filter({ hasText: name });
  await expect(wall.getByRole("region")).not.toHaveCount(0);
  await expect(wall.getByRole("button", { name: "Abrir el menú" })).toHaveCount(0);
  await expect(row).toContainText("Todos los procesos");

  // Choose lanes, which apply at once: of all lanes a wall shows only those that fit.
  const rows = await api.call<{ id: number; version: number }[]>(
    "GET",
    `/api/displays?search=${encodeURIComponent(name)}`,
  );
  const path = `/api/displays/${rows[0]!.id}`;
  await api.call("PUT", path, { productionProcessIds: [first, second] });
  await expect(wall.getByText(here.po)).toBeVisible();
  await expect(wall.getByText(elsewhere.po)).toBeVisible();
  await api.call("PUT", path, { productionProcessIds: [first] });
  await expect(wall.getByText(elsewhere.po)).toHaveCount(0);
  await expect(wall.getByText(here.po)).toBeVisible();
  // It is the third change within seconds, and the list then reloads every 25 s on average.
  await expect(row).not.toContainText("Todos los procesos", { timeout: 30_000 });

  // After a reload it is still paired, and follows the shop.
  await wall.reload();
  await expect(wall.getByText(here.po)).toBeVisible();
  await here.moveOut();
  await expect(wall.getByText(here.po)).toHaveCount(0);

  await row.getByRole("link", { name }).click();
  const opened = admin.getByRole("dialog", { name });
  await opened.getByRole("button", { name: "Retirar la pantalla" }).click();
  await admin.getByRole("button", { name: "Sí, retirar" }).click();
  await expect(wall.getByRole("alert")).toContainText("Un administrador retiró esta pantalla");
  expect(await codeOn(wall)).not.toBe(code);
  await expect(row).toHaveCount(0);
  await wall.context().close();
});

test("a display keeps working past midnight, and catches up after it was offline", async ({
  apiOf,
  browser,
  baseURL,
}) => {
  const api = await apiOf("admin");
  const [first] = await processes(api);
  const shown = await inside(api, first);
  const wall = await wallOf(browser, baseURL);
  await wall.goto("/#/display");
  await named(api, await codeOn(wall), [first]);
  await expect(wall.getByText(shown.po)).toBeVisible();

  await wall.context().setOffline(true);
  await expect(wall.getByRole("alert")).toContainText("Sin conexión: datos de las");
  await shown.moveOut();
  await wall.context().setOffline(false);
  await expect(wall.getByRole("alert")).toHaveCount(0, { timeout: 20_000 });
  await expect(wall.getByText(shown.po)).toHaveCount(0);

  await wall.clock.install();
  for (let day = 0; day < 2; day += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one day after the other
    await wall.clock.fastForward("24:00:00");
  }
  await expect(wall).toHaveURL(/#\/display$/);
  const next = await inside(api, first);
  await expect(wall.getByText(next.po)).toBeVisible();
  await expect(wall.getByRole("dialog")).toHaveCount(0);
  await wall.context().close();
});

test("two people who view one line see each other's names until one leaves", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("sales");
  const order = await api.order(3, 4);
  const line = (position: number) =>
    `/#/operations/sales-orders/${order.id}/position/${position}/a`;
  const seller = await pageOf("sales");
  const boss = await pageOf("boss", { language: "en" });
  const others = seller.getByRole("status", { name: "Quién más ve la línea" });
  await seller.goto(line(1));
  await expect(others).toBeEmpty();
  await boss.goto(line(1));
  await expect(others).toContainText("Ramón Ibarra Solís también ve esta línea");
  await expect(others.getByTitle("Ramón Ibarra Solís")).toHaveText("RI");
  await expect(boss.getByText("Lucía Herrera Campos is looking at this line too")).toBeVisible();
  await boss.goto(line(2));
  await expect(others).toBeEmpty();
  await boss.goto(line(1));
  await expect(others).toContainText("Ramón");
  // Close the browser without leaving the page.
  await boss.close();
  await expect(others).toBeEmpty();
});
