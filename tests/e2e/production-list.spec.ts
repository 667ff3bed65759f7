/** The list of all lines: it sorts by process and days, and bills the chosen lines. */
import type { LineRow } from "@/contract";
import { finished } from "./billing";
import { expect, test } from "./fixtures";

test(
  "the list is sorted by days and by process in the order of the server",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const api = await apiOf("admin");
    const page = await pageOf("sales");
    await page.goto("/#/operations/orders");
    for (const [column, ordering] of [
      ["Días", "hereSince"],
      ["Dónde está", "process"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one sort after the other
      await page.getByRole("columnheader", { name: column }).click();
      // oxlint-disable-next-line no-await-in-loop
      await expect(page).toHaveURL(new RegExp(`ordering=${ordering}`));
      // oxlint-disable-next-line no-await-in-loop
      const rows = await api.call<LineRow[]>(
        "GET",
        `/api/sales-order/positions?ordering=${ordering}&limit=10`,
      );
      const shown = page.locator("tbody tr.ant-table-row td:nth-child(2)");
      // oxlint-disable-next-line no-await-in-loop
      await expect
        .poll(async () => (await shown.allTextContents()).slice(0, 10))
        .toEqual(rows.map(({ customerSalesOrderId }) => customerSalesOrderId));
    }
  },
);

test("chosen finished lines are billed together if they are of one customer", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const api = await apiOf("admin");
  const { order, customer } = await finished(api, [3, 4, 5]);
  const other = await finished(api, [2]);
  const page = await pageOf("admin");
  const bar = page.getByRole("region", { name: "Líneas elegidas" });
  const tick = (po: string, position: number) =>
    page.getByRole("checkbox", { name: `${po} · ${position}` }).check();
  await page.goto(`/#/operations/orders?status=Done&search=${order.customerSalesOrderId}`);
  await tick(order.customerSalesOrderId, 1);
  await tick(order.customerSalesOrderId, 3);
  await page.goto(`/#/operations/orders?status=Done&search=${other.order.customerSalesOrderId}`);
  await tick(other.order.customerSalesOrderId, 1);
  await expect(bar).toContainText("Lo elegido es de 2 clientes");
  await expect(bar.getByRole("button", { name: "Facturar 3 líneas" })).toBeDisabled();
  await page.goto(`/#/operations/orders?status=Done&search=${order.customerSalesOrderId}`);
  await bar.getByRole("button", { name: "Quitar las que no están" }).click();
  await bar.getByRole("button", { name: "Facturar 2 líneas" }).click();
  await expect(page).toHaveURL(/reports\/bills\/new/);
  await expect(page.locator("main")).toContainText(customer);
  const chosen = page
    .getByRole("row")
    .filter({ has: page.getByRole("checkbox", { checked: true }) });
  await expect(chosen).toHaveCount(2);
  await expect(chosen.nth(0)).toContainText(`${order.customerSalesOrderId} · línea 1`);
  await expect(chosen.nth(1)).toContainText(`${order.customerSalesOrderId} · línea 3`);
});
