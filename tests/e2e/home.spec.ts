/** The home page: what the office must see to. */
import type { Today } from "@/contract";
import { expect, test, type Api } from "./fixtures";
import { newPerson } from "./people";

const hoyOf = (api: Api) => api.call<Today>("GET", "/api/reports/today");

/** Create an order with a line due before all others. */
async function lateLine(api: Api) {
  const order = await api.order(3);
  const line = `/api/sales-order/${order.id}/position/1/full`;
  await api.call("PUT", line, { deliveryDate: "2001-01-01" });
  return order;
}

test(
  "the first page of the office lists late lines",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const api = await apiOf("admin");
    const order = await lateLine(api);
    const seller = await newPerson(api, ["ListOrders", "CreateSalesOrder"]);
    const page = await pageOf(seller);
    await page.goto("/");
    await expect(page).toHaveURL(/#\/home$/);
    const late = page.getByRole("region", { name: "Atrasadas" });
    await expect(late.getByText(order.customerSalesOrderId)).toBeInViewport();
    await expect(page.getByRole("region", { name: "Por aprobar" })).toHaveCount(0);
    await expect(page.getByText("Mis procesos")).toHaveCount(0);

    // One click lists all of them.
    const { late: counted } = await hoyOf(api);
    await late.getByRole("link", { name: `Ver las atrasadas (${counted.count})` }).click();
    await expect(page).toHaveURL(/orders\?late=true$/);
    await expect(page.getByText(order.customerSalesOrderId)).toBeVisible();
  },
);

test(
  "a line is approved from the home page, and disappears from every screen",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const api = await apiOf("admin");
    const order = await lateLine(api);
    const before = (await hoyOf(api)).toApprove?.count ?? 0;
    const page = await pageOf("sales");
    const other = await pageOf("boss");
    const parts = [page, other].map((each) => each.getByRole("region", { name: "Por aprobar" }));
    for (const [index, each] of [page, other].entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one screen after the other
      await each.goto("/#/home");
      // oxlint-disable-next-line no-await-in-loop
      await expect(parts[index]!.getByText(order.customerSalesOrderId)).toBeVisible();
    }
    await page
      .getByRole("button", { name: `Aprobar ${order.customerSalesOrderId}, línea 1` })
      .click();
    await expect(page.getByText(`${order.customerSalesOrderId}, línea 1 · aprobada`)).toBeVisible();
    for (const part of parts) {
      // oxlint-disable-next-line no-await-in-loop
      await expect(part.getByText(order.customerSalesOrderId)).toHaveCount(0);
      // oxlint-disable-next-line no-await-in-loop
      await expect(part.locator(".ob-hoy__count")).toHaveText(String(before - 1));
    }
  },
);
