/** The office's daily list: it fits, it sorts by where pieces are and since when, and does what is chosen. */
import type { LineRow, SalesOrder } from "@/contract";
import { finished } from "./billing";
import { expect, test, unique, type Api } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";

const MATCHING = 30;

/** An order with so many lines of two pieces. */
function longOrder(api: Api, lines: number, mark: string): Promise<SalesOrder> {
  return Promise.all([api.firstId("customers"), api.firstId("items")]).then(
    ([customerId, itemId]) =>
      api.call("POST", "/api/sales-order", {
        customerId,
        customerSalesOrderId: mark,
        items: Array.from({ length: lines }, () => ({
          itemId,
          quantity: 2,
          deliveryDate: "2099-12-31",
        })),
      }),
  );
}

for (const [width, height] of [
  [1280, 800],
  [1440, 900],
  [1920, 1080],
] as const) {
  test(`process, days and delay are in sight at ${width}, and the head stays`, async ({
    apiOf,
    pageOf,
  }) => {
    const api = await apiOf("admin");
    const mark = `E2E-LARGA-${unique()}`;
    await longOrder(api, MATCHING, mark);
    const page = await pageOf("admin", width === 1440 ? { language: "en", theme: "dark" } : {});
    await page.setViewportSize({ width, height });
    await page.goto(`/#/operations/orders?search=${mark}&show=50`);
    await expect(page.getByRole("row")).toHaveCount(MATCHING + 1);
    await expectWithin(page, `all lines at ${width}`);
    const table = page.locator(".ob-table");
    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.mouse.wheel(0, 800);
    const head = page.getByRole("columnheader", { name: /^(Días|Days)/ });
    await expect
      .poll(async () => {
        const navbar = await page.locator(".ob-navbar").boundingBox();
        const scrolled = await page.evaluate(() => window.scrollY > 300);
        return scrolled && Math.round((await head.boundingBox())!.y - navbar!.y - navbar!.height);
      })
      .toBe(0);
    await expectAccessible(page, `all lines at ${width}`);
  });
}

test("it is sorted by where the pieces are and since when, as the server has it", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const page = await pageOf("sales");
  await page.goto("/#/operations/orders");
  for (const [column, ordering] of [
    ["Días", "insideSince"],
    ["Proceso actual", "process"],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one sort after the other
    await page.getByRole("columnheader", { name: column }).click();
    // oxlint-disable-next-line no-await-in-loop
    await expect(page).toHaveURL(new RegExp(`ordering=${ordering}`));
    // oxlint-disable-next-line no-await-in-loop
    const rows = await api.call<LineRow[]>(
      "GET",
      `/api/sales-order/positions?ordering=${ordering}&limit=10`,
    );
    const shown = page.locator("tbody tr.ant-table-row td:nth-child(2)");
    // oxlint-disable-next-line no-await-in-loop
    await expect
      .poll(async () => (await shown.allTextContents()).slice(0, 10))
      .toEqual(rows.map(({ customerSalesOrderId }) => customerSalesOrderId));
  }
});

test("all that match are approved, those beyond the first page too", async ({ apiOf, pageOf }) => {
  test.slow(); // Thirty lines, one after the other.
  const api = await apiOf("admin");
  const order = await longOrder(api, MATCHING, `E2E-TODAS-${unique()}`);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  const bar = page.getByRole("region", { name: "Líneas elegidas" });
  await expect(bar.getByRole("status")).toHaveText("25 de 30 seleccionadas");
  await bar.getByRole("button", { name: "Seleccionar las 30 que coinciden" }).click();
  await expect(bar.getByRole("status")).toHaveText("30 de 30 seleccionadas");
  await bar.getByRole("button", { name: "Aprobar (30)" }).click();
  await expect(page.getByText("30 líneas aprobadas")).toBeVisible();
  const { items } = await api.call<SalesOrder>("GET", `/api/sales-order/${order.id}`);
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["Approved"]));
});

test("on a phone lines are ticked on their cards and approved from the bar below", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await longOrder(api, 3, `E2E-MANO-${unique()}`);
  const page = await pageOf("admin", { size: "handheld" });
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  for (const position of [1, 3]) {
    // oxlint-disable-next-line no-await-in-loop -- one card after the other
    await page
      .getByRole("checkbox", { name: `${order.customerSalesOrderId} · ${position}` })
      .check();
  }
  const bar = page.getByRole("region", { name: "Líneas elegidas" });
  await expect(bar.getByRole("status")).toHaveText("2 de 3 seleccionadas");
  await expectAccessible(page, "lines chosen on a phone");
  await bar.getByRole("button", { name: "Aprobar (2)" }).click();
  await expect(page.getByText("2 líneas aprobadas")).toBeVisible();
  const { items } = await api.call<SalesOrder>("GET", `/api/sales-order/${order.id}`);
  expect(items.map(({ status }) => status)).toEqual(["Approved", "New", "Approved"]);
});

test("a long print is given up, or goes on while the dashboard is looked at", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await longOrder(api, 2, `E2E-HOJAS-${unique()}`);
  const page = await pageOf("admin");
  const held: (() => void)[] = [];
  await page.route("**/pdf/create-pdf", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue().catch(() => undefined); // What was given up is gone.
  });
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  const print = page.getByRole("button", { name: "Imprimir 2 hojas" });
  const dialog = page.getByRole("dialog", { name: "Preparando las hojas" });
  await print.click();
  await expect(dialog).toContainText("Si cierra esta pestaña");
  const stopped = page.waitForEvent("requestfailed", (request) =>
    request.url().endsWith("/pdf/create-pdf"),
  );
  await dialog.getByRole("button", { name: "Dejar de imprimir" }).click();
  await stopped;
  await expect(dialog).toBeHidden();

  await print.click();
  await dialog.getByRole("button", { name: "Seguir trabajando", exact: true }).last().click();
  await expect(dialog).toBeHidden();
  await page.goto("/#/dashboard");
  await expect(page.getByRole("heading", { name: "Entregas vencidas" })).toBeVisible();
  const download = page.waitForEvent("download");
  for (const resume of held) resume();
  expect((await download).suggestedFilename()).toContain(order.customerSalesOrderId);
  await expect(page.getByText("Las hojas están listas")).toBeVisible();
});

test("what is chosen and finished is billed together, for one customer alone", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const api = await apiOf("admin");
  const { order, customer } = await finished(api, [3, 4, 5]);
  const other = await finished(api, [2]);
  const page = await pageOf("admin");
  const bar = page.getByRole("region", { name: "Líneas elegidas" });
  const tick = (po: string, position: number) =>
    page.getByRole("checkbox", { name: `${po} · ${position}` }).check();
  await page.goto(`/#/operations/orders?status=Done&search=${order.customerSalesOrderId}`);
  await tick(order.customerSalesOrderId, 1);
  await tick(order.customerSalesOrderId, 3);
  await page.goto(`/#/operations/orders?status=Done&search=${other.order.customerSalesOrderId}`);
  await tick(other.order.customerSalesOrderId, 1);
  await expect(bar).toContainText("Lo elegido es de 2 clientes");
  await expect(bar.getByRole("button", { name: "Facturar 3 líneas" })).toBeDisabled();
  await page.goto(`/#/operations/orders?status=Done&search=${order.customerSalesOrderId}`);
  await bar.getByRole("button", { name: "Quitar las que no están" }).click();
  await bar.getByRole("button", { name: "Facturar 2 líneas" }).click();
  await expect(page).toHaveURL(/reports\/bills\/new/);
  await expect(page.locator("main")).toContainText(customer);
  const chosen = page
    .getByRole("row")
    .filter({ has: page.getByRole("checkbox", { checked: true }) });
  await expect(chosen).toHaveCount(2);
  await expect(chosen.nth(0)).toContainText(`${order.customerSalesOrderId} · línea 1`);
  await expect(chosen.nth(1)).toContainText(`${order.customerSalesOrderId} · línea 3`);
});
