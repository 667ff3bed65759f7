/** The list of all lines: many at once, and their work sheets. */
import { readFile } from "node:fs/promises";
import { expectAccessible } from "./looks";
import { expect, test } from "./fixtures";

test("many lines are approved at once, and another browser follows", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const order = await api.order(3, 4, 5);
  await api.approve(order.id, 3);
  const page = await pageOf("admin");
  const other = await pageOf("sales");
  const list = `/#/operations/orders?search=${order.customerSalesOrderId}`;
  await other.goto(list);
  await expect(other.getByText("En vivo", { exact: true })).toBeVisible();
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
