/** The dashboard follows others and opens the orders behind a number; reports are filtered, exported and cleared. */
import { readFile } from "node:fs/promises";
import type { SalesOrder, ShortListRow } from "@/contract";
import { expectAccessible, expectWithin } from "./looks";
import { expect, SIZES, test, unique, type Api } from "./fixtures";

/** A distant day that no other order has. */
function dayOfItsOwn(): string {
  const days = Number(unique().slice(-6)) % 20_000;
  return new Date(Date.UTC(2040, 0, 1 + days)).toISOString().slice(0, 10);
}

async function orderOf(
  api: Api,
  salesOrderDate: string,
  ...quantities: number[]
): Promise<SalesOrder> {
  const [customerId, itemId] = await Promise.all([api.firstId("customers"), api.firstId("items")]);
  return api.call("POST", "/api/sales-order", {
    customerId,
    customerSalesOrderId: `REP-${unique()}`,
    salesOrderDate,
    items: quantities.map((quantity) => ({ itemId, quantity })),
  });
}

test("the dashboard follows the work of others, and a click opens the orders behind a number", async ({
  apiOf,
  pageOf,
}) => {
  const boss = await apiOf("boss");
  const admin = await apiOf("admin");
  const day = dayOfItsOwn();
  const first = await orderOf(admin, day, 4);
  const page = await pageOf("sales");
  await page.goto(`/#/dashboard?from=${day}&to=${day}`);
  const statuses = page.getByRole("region", { name: "Órdenes por estado" });
  await expect(statuses.getByRole("button", { name: /^Nuevo: 1 orden/ })).toBeVisible();
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();

  await boss.approve(first.id);
  await expect(statuses.getByRole("button", { name: /^Aprobada: 1 orden/ })).toBeVisible();
  await expect(statuses.getByRole("button", { name: /^Nuevo: 0/ })).toBeDisabled();
  await orderOf(admin, day, 1, 2);
  await statuses.getByRole("button", { name: /^Nuevo: 1 orden/ }).click();

  const details = page.getByRole("dialog", { name: "Órdenes: Nuevo" });
  await expect(details.getByRole("row")).toHaveCount(2);
  await expect(details.getByText("1 de 1")).toBeVisible();
  await expectAccessible(page, "the details of a status");
  await details.getByRole("button", { name: "Cerrar" }).click();
  await expect(details).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`from=${day}`));
  await expect(page.getByRole("heading", { name: "Entregas vencidas" })).toBeVisible();
  await expect(page.getByRole("region", { name: /^Salidas por proceso/ })).toBeVisible();

  // Hovering shows the numbers of the chart, and a bar opens the same orders as its row in the table.
  const bar = statuses.locator(".recharts-bar-rectangle path").first();
  await bar.hover();
  await expect(statuses.locator(".recharts-tooltip-wrapper")).toContainText("Nuevo");
  await expect(statuses.locator(".ob-bars")).toContainText("Aprobada");
  await bar.click();
  await expect(details).toBeVisible();
});

test("the report of sales orders is filtered, summed, exported and cleared", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const day = dayOfItsOwn();
  const order = await orderOf(admin, day, 4, 7);
  await admin.approve(order.id);
  const page = await pageOf("sales");
  // It opens with an answer: the last 30 days.
  await page.goto("/#/reports/sales-orders");
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d/);
  await expect(page.getByRole("region", { name: "Reporte de órdenes de venta" })).toBeVisible();
  await expectWithin(page, "the report of sales orders at 1440");

  await page.goto(`/#/reports/sales-orders?from=${day}&to=${day}`);
  const table = page.getByRole("region", { name: "Reporte de órdenes de venta" });
  const totals = (name: string) =>
    page
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .getByRole("definition");
  await expect(totals("Líneas")).toHaveText("2");
  await expect(totals("Piezas")).toHaveText("11");
  await expect(table.getByText(order.customerSalesOrderId)).toHaveCount(2);
  await page.getByRole("combobox", { name: "Estado" }).click();
  await page.locator(".ant-select-item-option").filter({ hasText: "Aprobada" }).click();
  await expect(totals("Piezas")).toHaveText("4");
  await expect(table.getByText(order.customerSalesOrderId)).toHaveCount(1);

  for (const [kind, name] of [
    ["XLSX", "sales-orders.xlsx"],
    ["CSV", "sales-orders.csv"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one file after the other
    await page.getByRole("button", { name: "Exportar" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: new RegExp(kind) }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(name);
    const bytes = await readFile(await saved.path());
    if (kind === "XLSX") expect(bytes.subarray(0, 2).toString()).toBe("PK");
    else expect(bytes.toString("utf8").trim().split("\r\n")).toHaveLength(2);
    // oxlint-enable no-await-in-loop
  }

  await page.getByRole("button", { name: "Limpiar" }).click();
  await expect(page.getByText("El reporte está vacío")).toBeVisible();
  await expect(page).not.toHaveURL(/from=/);
});

test("the report of the flow counts releases by reason, and compares two periods", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const key = unique();
  const { id: itemId } = await admin.call<{ id: number }>("POST", "/api/items", {
    key,
    name: `Anillo ${key}`,
  });
  const customerId = await admin.firstId("customers");
  const { id } = await admin.call<SalesOrder>("POST", "/api/sales-order", {
    customerId,
    customerSalesOrderId: `REP-${key}`,
    items: [{ itemId, quantity: 7 }],
  });
  const processId = await admin.firstId("production-processes");
  await admin.move("in", await admin.approve(id), processId, 7);
  const [reason] = await admin.call<ShortListRow[]>("GET", "/api/release-reasons");
  const page = await pageOf("boss");
  await page.goto(`/#/reports/flow?itemId=${itemId}`);
  const period = page.getByRole("region", { name: "Periodo", exact: true });
  const releases = period.getByRole("region", { name: "Liberaciones por motivo" });
  await expect(releases.getByText("No se liberó nada en estos días")).toBeVisible();

  const process = `/api/sales-order/${id}/position/1/production-process/${processId}`;
  await admin.call("DELETE", `${process}/movement-type/in?reason=${reason!.key}`);
  await page.reload();
  const row = releases.getByRole("row").filter({ hasText: reason!.nameSpanish });
  await expect(row.getByRole("cell")).toHaveText([reason!.nameSpanish, "1", "7"]);
  await expectAccessible(page, "the flow with a release");
  const download = page.waitForEvent("download");
  await releases.getByRole("button", { name: "Exportar 1 fila" }).click();
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const saved = await readFile(await (await download).path(), "utf8");
  expect(saved).toContain(`${reason!.nameSpanish},1,7`);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectWithin(page, "the flow with a release at 390");

  // Compare two periods.
  await page.setViewportSize(SIZES.office);
  await page.goto("/#/reports/flow");
  await expect(period.getByRole("img", { name: "Tiempo adentro" })).toBeVisible();
  const other = page.getByRole("region", { name: "Comparado con" });
  await expect(other.getByRole("columnheader", { name: "Salidas" })).toBeVisible();
  await period.getByText("Cifras por día").click();
  await expect(period.getByRole("columnheader", { name: "Día" })).toBeVisible();
});
