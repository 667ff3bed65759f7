/** Every screen and dialog of orders in every look. */
import { chooseProduct, expect, test } from "./fixtures";
import { expectGood, LOOKS, named } from "./looks";

for (const look of LOOKS) {
  test(`the screens of orders: ${named(look)}`, async ({ apiOf, pageOf }) => {
    test.slow(); // Twelve screens, each checked by axe.
    const api = await apiOf("admin");
    const processId = await api.firstId("production-processes");
    const order = await api.order(12, 5);
    let line = await api.approve(order.id);
    line = await api.move("in", line, processId);
    line = await api.move("out", line, processId, 4);
    const page = await pageOf("admin", look);
    const looked = (where: string) => expectGood(page, where, look);

    await page.goto("/#/operations/sales-orders");
    await expect(page.getByText(order.customerSalesOrderId)).toBeVisible();
    await looked("list");
    await page.goto("/#/operations/sales-orders?search=nothing-has-this-name");
    await expect(page.locator(".ob-state")).toBeVisible();
    await looked("list without a match");

    await page.goto("/#/operations/sales-orders/new");
    await chooseProduct(page);
    await page.getByRole("button", { name: /^(Guardar orden|Save order)$/ }).click();
    await expect(page.locator(".ant-form-item-explain-error").first()).toBeVisible();
    await looked("new order with errors");
    await page.getByRole("button", { name: /^(Cancelar|Cancel)$/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await looked("unsaved changes");
    await page
      .getByRole("button", {
        name: /^(Salir sin guardar|Leave without saving)$/,
      })
      .click();
    await expect(page).toHaveURL(/sales-orders$/);

    await page.goto(`/#/operations/sales-orders/${order.id}`);
    await expect(page.locator(".ob-line-buttons").first()).toBeVisible();
    await looked("order");
    await page.getByRole("button", { name: /^(Editar orden|Edit order)$/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await looked("edit order");

    await page.goto(`/#/operations/sales-orders/${order.id}?line=2`);
    await expect(page.getByRole("article")).toBeVisible();
    await looked("line in a modal");

    await page.goto(`/#/operations/sales-orders/${order.id}/position/1/a`);
    const detail = page.getByRole("article");
    await expect(detail).toBeVisible();
    await looked("line");
    await detail.getByRole("button", { name: /^(Estado|Status):/ }).click();
    await expect(page.locator(".ob-choices")).toBeVisible();
    await looked("status popup");
    await page.keyboard.press("Escape");
    await detail.getByRole("button", { name: /^(Sacar|Move \d+ out)/ }).click();
    const choice = page.locator(".ob-choices__choice").first();
    await expect(choice).toBeVisible();
    await looked("movement popup, choosing");
    await choice.click();
    await expect(page.locator(".ob-confirm")).toBeVisible();
    await looked("movement popup, confirming");
    for (const button of await page.locator(".ob-confirm button").all()) {
      // oxlint-disable-next-line no-await-in-loop -- one button after the other
      expect((await button.boundingBox())?.height, "for gloves").toBeGreaterThanOrEqual(48);
    }
    await page.keyboard.press("Escape");
    await detail.getByRole("button", { name: /^(Ver historial|View history)$/ }).click();
    await expect(
      page
        .getByRole("dialog")
        .getByText(/\d{4}-\d{2}-\d{2}/)
        .first(),
    ).toBeVisible();
    await looked("history");
  });
}

test("the list follows changes of others, and the address keeps its search, filters and order", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const page = await pageOf("sales");
  await page.goto("/#/operations/sales-orders");
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  const order = await api.order(12);
  const row = page.getByRole("row").filter({ hasText: order.customerSalesOrderId });
  await expect(row).toContainText("Nuevo");
  await api.approve(order.id);
  await expect(row).toContainText("Aprobada");

  await page.goto("/#/operations/sales-orders?status=Canceled");
  await expect(page.locator(".ob-table")).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Quitar filtros" }).click();
  const search = page.getByLabel("Buscar PO#, cliente o notas");
  await search.fill(order.customerSalesOrderId);
  await expect(page).toHaveURL(new RegExp(`search=${order.customerSalesOrderId}`));
  await expect(page.getByText("1 de 1")).toBeVisible();
  await page.getByRole("columnheader", { name: "Fecha" }).click();
  await expect(page).toHaveURL(/ordering=salesOrderDate/);
  await page.reload();
  await expect(page.getByText("1 de 1")).toBeVisible();
  await expect(search).toHaveValue(order.customerSalesOrderId);
});
