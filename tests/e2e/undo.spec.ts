/** A movement is undone from the history, which keeps it. */
import { expect, test } from "./fixtures";

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
