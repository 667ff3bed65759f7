/** Lines on a tablet, by touch. */
import { expect, SIZES, test, type Api } from "./fixtures";
import { expectWithin } from "./looks";

async function processId(api: Api): Promise<number> {
  const path = "/api/production-processes?status=true&filterByUser=true";
  const [first] = await api.call<{ id: number }[]>("GET", path);
  return first!.id;
}

test("on a tablet a line is found, chosen and moved by touch, and its history is read", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(18);
  await api.approve(order.id);
  const page = await pageOf("admin", { size: "tablet" });
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  const card = page.locator(".ob-table__card");
  await expect(card).toHaveCount(1);
  await card.getByRole("checkbox").tap();
  await expect(page.locator(".ob-selection__said")).toContainText("1 de 1");
  await card.getByRole("button").tap();
  await expect(page.getByRole("dialog")).toBeVisible();

  await page.goto(`/#/operations/sales-orders/${order.id}`);
  const enter = page.getByRole("button", { name: "Meter piezas de la línea 1" });
  await expect(enter).toBeInViewport({ ratio: 1 });
  await enter.tap();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  const process = await processId(api);
  await api.move("in", { ...order.items[0]!, salesOrderId: order.id }, process);
  await page.getByRole("button", { name: "Más acciones de la línea 1" }).tap();
  await page.getByRole("menuitem", { name: "Ver historial" }).tap();
  const history = page.getByRole("dialog");
  await expect(history.locator(".ob-column-card")).toHaveCount(1);
  await expect(history.getByText("18", { exact: true })).toBeVisible();
  const { width } = (await history.locator(".ob-column-card").boundingBox())!;
  expect(width).toBeLessThanOrEqual(SIZES.tablet.width);
  await expectWithin(page, "history");
});
