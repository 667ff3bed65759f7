/** Actions on a whole order: approve it, duplicate it, and edit its lines while another clerk does. */
import type { SalesOrder } from "@/contract";
import { cell, expect, expectSaved, savedOrder, test, unique } from "./fixtures";

test("an order is approved with one click, and duplicated from its page and from the list", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(3, 5, 7);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  await expect(page).toHaveTitle(new RegExp(`^${order.customerSalesOrderId} `));
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" && pathname.startsWith("/api/")) sent.push(pathname);
  });
  await page.getByRole("button", { name: "Aprobar orden (3 líneas)" }).click();
  await expect(page.getByText(/: 3 líneas aprobadas$/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Aprobar orden/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Estado: Aprobada/ })).toHaveCount(3);
  expect(sent).toEqual([`/api/sales-order/${order.id}/approve`]);

  await page.getByRole("button", { name: "Más acciones de la orden" }).click();
  await page.getByRole("menuitem", { name: "Duplicar orden" }).click();
  await expect(page.getByRole("textbox", { name: "PO#" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "PO#" })).toHaveValue("");
  await expect(cell(page, "Cantidad", 2)).toHaveValue("5");
  await expect(cell(page, "Entrega")).toHaveValue("");
  const po = `E2E-${unique()}`;
  await page.keyboard.type(po);
  await page.keyboard.press("Control+Enter");
  await expectSaved(page);
  expect(await savedOrder(api, po)).toMatchObject({
    customerId: order.customerId,
    items: [{ quantity: 3, deliveryDate: null }, { quantity: 5 }, { quantity: 7 }],
  });
  await page.goto(`/#/operations/sales-orders?search=${po}`);
  await page.getByRole("button", { name: `Duplicar la orden ${po}` }).click();
  await expect(cell(page, "Cantidad")).toHaveValue("3");
});

test("the slower of two clerks on one order reads who changed what, and keeps their input", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(3, 5);
  const page = await pageOf("sales");
  await page.goto(`/#/operations/sales-orders/${order.id}/lines`);
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await cell(page, "Cantidad", 2).fill("8");
  await api.call("PUT", `/api/sales-order/${order.id}/position/1/full`, { quantity: 4 });
  await api.call("PUT", `/api/sales-order/${order.id}/position/2/full`, { quantity: 7 });
  await page.getByRole("button", { name: "Guardar líneas" }).click();
  const stale = page.getByRole("alert").filter({ hasText: "cambió estos datos" });
  await expect(stale).toContainText("Línea 2 · Cantidad: 5 → 7");
  await expect(stale).toContainText("Adriana Montes");
  await expect(cell(page, "Cantidad", 2)).toHaveValue("8");
  await expect(cell(page, "Cantidad")).toHaveValue("4");
  await page.getByRole("button", { name: "Guardar de todos modos" }).click();
  await expectSaved(page);
  const now = await api.call<SalesOrder>("GET", `/api/sales-order/${order.id}`);
  expect(now.items.map(({ quantity }) => quantity)).toEqual([4, 8]);
});
