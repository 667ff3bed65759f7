/** A movement is undone from the order or the history, and the history keeps it. */
import { expect, test } from "./fixtures";
import { expectAccessible } from "./looks";

test("an entry is undone from the order, and its line returns to Approved", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(5);
  const line = await admin.approve(order.id);
  const entered = await admin.move("in", line, processId, 3);
  const process = entered.lastProductionProcess?.productionProcessName ?? "";
  const page = await pageOf("admin");
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  await page.getByRole("button", { name: "Deshacer su último movimiento, línea 1" }).click();
  const asking = page.getByRole("dialog");
  await expect(asking).toContainText(`¿Deshacer la entrada de 3 piezas a ${process}?`);
  await expectAccessible(page, "undo, asked");
  await asking.getByRole("button", { name: "Aceptar" }).click();
  await expect(page.getByText(`Se deshizo la entrada de 3 piezas a ${process}`)).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Aprobada" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^Deshacer/ })).toHaveCount(0);
});

test("an exit is undone from the history, which marks it as undone", async ({ apiOf, pageOf }) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(5);
  const line = await admin.approve(order.id);
  await admin.move("in", line, processId);
  await admin.move("out", line, processId, 2);
  const page = await pageOf("admin", { size: "phone" });
  await page.goto(`/#/operations/sales-orders/${order.id}/position/1/a`);
  const detail = page.getByRole("article");
  await detail.getByRole("button", { name: "Ver historial" }).click();
  const history = page.getByRole("dialog", { name: /^Historial/ });
  await history.getByRole("button", { name: /^Deshacer/ }).click();
  const choosing = page.getByRole("dialog");
  await choosing.getByRole("button", { name: /^salida de 2 piezas/ }).click();
  await choosing.getByRole("button", { name: "Aceptar" }).click();
  await expect(page.getByText(/^Se deshizo la salida de 2 piezas/)).toBeVisible();
  await expect(detail.getByText("5 piezas dentro")).toBeVisible();
  await detail.getByRole("button", { name: "Ver historial" }).click();
  await expect(history).toContainText("Salida deshecha por");
});
