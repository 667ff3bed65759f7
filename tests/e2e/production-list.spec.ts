/** The list of all lines: it fits the window, sorts by process and days, and acts on the chosen lines. */
import type { LineRow, SalesOrder } from "@/contract";
import { finished } from "./billing";
import { expect, test, unique, type Api } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";

const MATCHING = 30;

/** Create an order with so many lines of two pieces. */
function longOrder(api: Api, lines: number, mark: string): Promise<SalesOrder> {
  return Promise.all([api.firstId("customers"), api.firstId("items")]).then(
    ([customerId, itemId]) =>
      api.call("POST", "/api/sales-order", {
        customerId,
        customerSalesOrderId: mark,
        items: Array.from({ length: lines }, () => ({
          itemId,
          quantity: 2,
          deliveryDate: "2099-12-31",
        })),
      }),
  );
}

test("all columns fit from 1280 px on, and the head stays in sight", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const mark = `E2E-LARGA-${unique()}`;
  await longOrder(api, MATCHING, mark);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/orders?search=${mark}&show=50`);
  await expect(page.getByRole("row")).toHaveCount(MATCHING + 1);
  const table = page.locator(".ob-table");
  for (const [width, height] of [
    [1920, 1080],
    [1440, 900],
    [1280, 800],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one width after the other
    await page.setViewportSize({ width, height });
    await expectWithin(page, `all lines at ${width}`);
    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    // oxlint-enable no-await-in-loop
  }
  await page.mouse.wheel(0, 800);
  const head = page.getByRole("columnheader", { name: /^Días/ });
  await expect
    .poll(async () => {
      const navbar = await page.locator(".ob-navbar").boundingBox();
      const scrolled = await page.evaluate(() => window.scrollY > 300);
      return scrolled && Math.round((await head.boundingBox())!.y - navbar!.y - navbar!.height);
    })
    .toBe(0);
  await expectAccessible(page, "all lines");
});

test(
  "the list is sorted by days and by process in the order of the server",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const api = await apiOf("admin");
    const page = await pageOf("sales");
    await page.goto("/#/operations/orders");
    for (const [column, ordering] of [
      ["Días", "insideSince"],
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

test("on a phone lines are ticked on their cards and approved from the bar below", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await longOrder(api, 3, `E2E-MANO-${unique()}`);
  const page = await pageOf("admin", { size: "handheld" });
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  const top = () =>
    page.locator(".ob-table").evaluate((table) => table.getBoundingClientRect().top + scrollY);
  const tick = (position: number) =>
    page.getByRole("checkbox", { name: `${order.customerSalesOrderId} · ${position}` }).check();
  const before = await top();
  await tick(1);
  await tick(3);
  const bar = page.getByRole("region", { name: "Líneas elegidas" });
  await expect(bar).toBeInViewport({ ratio: 1 });
  expect(await top()).toBe(before);
  await expectWithin(page, "lines chosen on a phone");
  await expect(bar.getByRole("status")).toHaveText("2 de 3 seleccionadas");
  await expectAccessible(page, "lines chosen on a phone");
  await bar.getByRole("button", { name: "Aprobar (2)" }).click();
  await expect(page.getByText("2 líneas aprobadas")).toBeVisible();
  const { items } = await api.call<SalesOrder>("GET", `/api/sales-order/${order.id}`);
  expect(items.map(({ status }) => status)).toEqual(["Approved", "New", "Approved"]);
});

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
