/** The list of all lines: what is late first, many at once, and their work sheets. */
import { readFile } from "node:fs/promises";
import { expectAccessible } from "./looks";
import { choose, expect, test } from "./fixtures";

test("many lines are approved at once, and another browser follows", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const order = await api.order(3, 4, 5);
  await api.approve(order.id, 3);
  const page = await pageOf("admin");
  const other = await pageOf("sales");
  const list = `/#/operations/orders?search=${order.customerSalesOrderId}`;
  await other.goto(list);
  await expect(other.getByText("En vivo")).toBeVisible();
  await expect(other.getByRole("row", { name: /Nuevo/ })).toHaveCount(2);
  await page.goto(list);
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  await expectAccessible(page, "all lines, three selected");
  const bar = page.getByRole("region", { name: "Líneas elegidas" });
  await expect(bar.getByRole("status")).toHaveText("3 de 3 seleccionadas");
  await bar.getByRole("button", { name: "Aprobar (2)" }).click();
  await expect(page.getByText("2 líneas aprobadas")).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(page.getByRole("row", { name: /Aprobada/ })).toHaveCount(3);
  await expect(other.getByRole("row", { name: /Aprobada/ })).toHaveCount(3);
});

test("canceling many lines names the one that another person has changed, and cancels the others", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(3, 4);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  await page.routeWebSocket("**/ws/events**", (socket) => socket.close());
  await page.route("**/position/2/update-status/Canceled", async (route) => {
    await api.call("PUT", `/api/sales-order/${order.id}/position/2/full`, { notes: "otra" });
    await route.continue();
  });
  await page.getByRole("button", { name: "Cancelar líneas (2)" }).click();
  await page.getByRole("button", { name: "Sí, cancelar 2 líneas" }).click();
  await expect(page.getByText("1 línea cancelada")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("1 línea no cambió");
});

test("late lines come first, and the address keeps the filters", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const order = await api.order(1, 1, 1);
  const line = (position: number) => `/api/sales-order/${order.id}/position/${position}/full`;
  await api.call("PUT", line(1), { deliveryDate: null });
  await api.call("PUT", line(3), { deliveryDate: "2020-01-01" });
  const page = await pageOf("admin", { language: "en" });
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  const positions = page.locator("tbody tr.ant-table-row td:nth-child(3)");
  await expect(positions).toHaveText(["3", "2", "1"]);
  await choose(page, page.getByLabel("Needs attention"));
  await expect(positions).toHaveText(["3"]);
  await expect(page).toHaveURL(/late=true/);
  await page.getByRole("cell", { name: /days late$/ }).click();
  await expect(page.getByRole("dialog")).toContainText(order.customerSalesOrderId);
  await expect(page).toHaveURL(/line=\d+-3/);
  // All filters have the same height.
  const boxes = await page.locator(".ob-toolbar").locator(".ant-select, .ant-picker").all();
  const heights = await Promise.all(boxes.map(async (box) => (await box.boundingBox())!.height));
  expect(new Set(heights.map(Math.round)).size).toBe(1);
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`search=${order.customerSalesOrderId}.*late=true`));
  await expect(positions).toHaveText(["3"]);
});

test("sheets are printed as one named PDF, a failed print can be tried again, and closing the line opens all lines", async ({
  apiOf,
  pageOf,
}) => {
  const order = await (await apiOf("admin")).order(3, 4);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  const many = page.waitForEvent("download");
  await page.getByRole("button", { name: "Imprimir 2 hojas" }).click();
  expect((await many).suggestedFilename()).toBe(`PO#_${order.customerSalesOrderId}-Lineas_1-2.pdf`);

  // The path in the code of a sheet.
  await page.goto(`/operations/sales-order/${order.id}/position/2`);
  await expect(page).toHaveURL(new RegExp(`/#/operations/sales-order/${order.id}/position/2$`));
  const body = {
    code: "pdf_unavailable",
    message: "Las hojas no se pueden imprimir en este momento",
    params: {},
    errors: [],
  };
  await page.route("**/pdf/create-pdf", (route) => route.fulfill({ status: 503, json: body }), {
    times: 1,
  });
  await page.getByRole("button", { name: "Generar PDF" }).click();
  const dialog = page.getByRole("dialog", { name: "No se pudieron imprimir las hojas" });
  await expect(dialog.getByRole("alert")).toHaveText(body.message);
  const one = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Intentar de nuevo" }).click();
  const file = await one;
  await expect(dialog).toBeHidden();
  expect(file.suggestedFilename()).toBe(`PO#_${order.customerSalesOrderId}-Linea_2.pdf`);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-");
  await page.getByRole("article").getByRole("button", { name: "Cerrar" }).click();
  await expect(page).toHaveURL(/#\/operations\/orders$/);
});
