/** Enter does not send a form of more than three fields; Ctrl+Enter does. */
import type { Page } from "@playwright/test";
import { cell, choose, chooseProduct, expect, expectSaved, test, unique } from "./fixtures";

/** The writes that the page sends from now on, without those of sessions and notifications. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const silent = /describe|ticket|\/read$/.test(pathname);
    if (request.method() !== "GET" && !silent) writes.push(`${request.method()} ${pathname}`);
  });
  return writes;
}

/** Press Enter in each of these fields, and wait a frame, in which the page would send. */
async function enterIn(page: Page, labels: readonly (string | RegExp)[]): Promise<void> {
  for (const label of labels) {
    // oxlint-disable no-await-in-loop -- one field after the other
    const field = page.getByLabel(label).last();
    await field.focus();
    await field.press("Enter");
    // oxlint-enable no-await-in-loop
  }
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

test("Enter does not send an order or a line, and Ctrl+Enter does", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const page = await pageOf("sales");
  await page.goto("/#/operations/sales-orders/new");
  await choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }));
  const po = `E2E-${unique()}`;
  await page.getByRole("textbox", { name: "PO#" }).fill(po);
  await chooseProduct(page);
  await cell(page, "Cantidad").fill("7");
  await cell(page, "Entrega").fill("2099-12-31");
  const writes = writesOf(page);
  const date = page.getByLabel("Fecha de la orden");
  await date.fill("2026-03-05");
  await date.press("Enter");
  await expect(date).toHaveValue("2026-03-05");
  await enterIn(page, ["PO#", "Cantidad, línea 1", "Entrega, línea 1"]);
  expect(writes).toEqual([]);
  await expect(page).toHaveURL(/\/new$/);

  // An incomplete date stays and is refused: the former date and the one under the pointer are not sent.
  await date.fill("2026-03");
  await page.locator('.ant-picker-cell[title="2026-03-19"]').hover();
  await date.press("Control+Enter");
  await expect(
    page.getByText("Escriba la fecha como YYYY-MM-DD, o día y mes: 18/12"),
  ).toBeVisible();
  await expect(date).toHaveValue("2026-03");
  await expect(page.getByRole("button", { name: "Guardar orden" })).toBeDisabled();
  expect(writes).toEqual([]);
  await date.fill("2026-03-06");
  await date.press("Control+Enter");
  await expectSaved(page);
  expect(writes).toEqual(["POST /api/sales-order"]);
  const [order] = await api.call<{ salesOrderDate: string }[]>(
    "GET",
    `/api/sales-order?search=${po}`,
  );
  expect(order?.salesOrderDate).toBe("2026-03-06");

  const edited = await api.order(3);
  writes.length = 0;
  await page.goto(`/#/operations/sales-orders/${edited.id}?edit=order`);
  await page.getByLabel("Notas").fill("Con estuche");
  await enterIn(page, ["PO#", "Fecha de la orden"]);
  expect(writes).toEqual([]);
  await page.getByRole("textbox", { name: "PO#" }).press("Control+Enter");
  await expectSaved(page);
  expect(writes).toEqual([`PUT /api/sales-order/${edited.id}`]);

  writes.length = 0;
  await page.goto(`/#/operations/sales-orders/${edited.id}?edit=1`);
  await page.getByLabel("Cantidad").fill("4");
  await enterIn(page, ["Cantidad", "Notas de la línea"]);
  expect(writes).toEqual([]);
  await page.getByLabel("Cantidad").press("Control+Enter");
  await expect.poll(() => writes).toEqual([`PUT /api/sales-order/${edited.id}/position/1/full`]);
});
