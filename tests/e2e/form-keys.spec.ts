/** Enter never sends a form of more than three fields; Ctrl+Enter does. */
import type { Page } from "@playwright/test";
import type { Line, SalesOrder } from "@/contract";
import {
  cell,
  choose,
  chooseProduct,
  expect,
  expectSaved,
  SIZES,
  test,
  unique,
  type Api,
  type Size,
} from "./fixtures";

const SCREENS: Size[] = ["office", "handheld"];

/** What the page sends from now on, reads and sign-ins left out. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const silent = /describe|ticket|\/read$/.test(pathname);
    if (request.method() !== "GET" && !silent) writes.push(`${request.method()} ${pathname}`);
  });
  return writes;
}

/** Presses Enter in each of these fields; what it would send goes at once. */
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

async function finishedLine(api: Api): Promise<SalesOrder> {
  const customer = `Cliente ${unique()}`;
  const { id: customerId } = await api.call<{ id: number }>("POST", "/api/customers", {
    name: customer,
  });
  const order = await api.call<SalesOrder>("POST", "/api/sales-order", {
    customerId,
    customerSalesOrderId: `E2E-${unique()}`,
    items: [{ itemId: await api.firstId("items"), quantity: 4 }],
  });
  const processId = await api.firstId("production-processes");
  const line = await api.approve(order.id);
  await api.move("in", line, processId);
  await api.move("out", line, processId);
  await api.call<Line>("PUT", `/api/sales-order/${order.id}/position/1/update-status/Done`);
  return order;
}

for (const size of SCREENS) {
  test.describe(`${SIZES[size].width}×${SIZES[size].height}`, () => {
    test("a new order", async ({ apiOf, pageOf }) => {
      const page = await pageOf("sales", { size });
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

      // A half-typed date stays, is said, and nothing goes with the day before it or the one under the pointer.
      await date.fill("2026-03");
      await page.locator('.ant-picker-cell[title="2026-03-19"]').hover();
      await date.press("Control+Enter");
      await expect(page.getByText("Escriba la fecha completa: YYYY-MM-DD")).toBeVisible();
      await expect(date).toHaveValue("2026-03");
      await expect(page.getByRole("button", { name: "Guardar orden" })).toBeDisabled();
      expect(writes).toEqual([]);
      await date.fill("2026-03-06");
      await date.press("Control+Enter");
      await expectSaved(page);
      expect(writes).toEqual(["POST /api/sales-order"]);
      const [order] = await (
        await apiOf("admin")
      ).call<{ salesOrderDate: string }[]>("GET", `/api/sales-order?search=${po}`);
      expect(order?.salesOrderDate).toBe("2026-03-06");
    });

    test("an order and a line that are edited", async ({ apiOf, pageOf }) => {
      const order = await (await apiOf("admin")).order(3);
      const page = await pageOf("admin", { size });
      const writes = writesOf(page);
      await page.goto(`/#/operations/sales-orders/${order.id}?edit=order`);
      await page.getByLabel("Notas").fill("Con estuche");
      await enterIn(page, ["PO#", "Fecha de la orden"]);
      expect(writes).toEqual([]);
      await page.getByRole("textbox", { name: "PO#" }).press("Control+Enter");
      await expectSaved(page);
      expect(writes).toEqual([`PUT /api/sales-order/${order.id}`]);

      writes.length = 0;
      await page.goto(`/#/operations/sales-orders/${order.id}?edit=1`);
      await page.getByLabel("Cantidad").fill("4");
      await enterIn(page, ["Cantidad", "Notas de la línea"]);
      expect(writes).toEqual([]);
      await page.getByLabel("Cantidad").press("Control+Enter");
      await expect.poll(() => writes).toEqual([`PUT /api/sales-order/${order.id}/position/1/full`]);
    });

    test("a bill", async ({ apiOf, pageOf }) => {
      const order = await finishedLine(await apiOf("admin"));
      const page = await pageOf("clerk", { size });
      await page.goto("/#/reports/bills/new");
      await choose(
        page,
        page.getByRole("combobox", { name: "Cliente", exact: true }),
        order.customerName,
      );
      await page
        .getByRole("row")
        .filter({ hasText: `${order.customerSalesOrderId} · línea 1` })
        .getByRole("checkbox")
        .check();
      const writes = writesOf(page);
      await page.getByLabel("Guía").fill("GUIA-1");
      await enterIn(page, ["Guía", "Precio de envío", /^Cantidad por facturar/, /^Precio, línea/]);
      expect(writes).toEqual([]);
      const save = page.getByRole("button", { name: "Guardar prefactura" });
      await page.getByLabel(/^Precio, línea/).fill("1,200");
      await expect(page.getByText("Escríbalo sin separadores: 1200")).toBeVisible();
      await expect(save).toBeDisabled();
      await expect(page.getByRole("button", { name: "Facturar", exact: true })).toBeDisabled();
      await page.getByLabel(/^Precio, línea/).fill("1200");
      await expect(save).toHaveAttribute("title", "Ctrl+Enter");
      await page.getByLabel("Guía").press("Control+Enter");
      await expectSaved(page);
      expect(writes).toHaveLength(1);
    });

    test("a customer, a product, a process, a user and a role", async ({ pageOf }) => {
      const page = await pageOf("admin", { size });
      const writes = writesOf(page);
      const mark = unique();
      const forms = [
        ["/#/catalogs/customers?record=new", "Nombre", `Cliente ${mark}`],
        ["/#/catalogs/products?record=new", "Clave", `K-${mark}`],
        ["/#/catalogs/production-process?record=new", "Nombre", `Proceso ${mark}`],
        ["/#/administration/users?record=new", "Nombre", "Prueba"],
        ["/#/administration/roles?record=new", "Nombre", `Rol ${mark}`],
      ] as const;
      for (const [path, label, text] of forms) {
        // oxlint-disable no-await-in-loop -- one form after the other
        await page.goto(path);
        const field = page.getByRole("dialog").getByLabel(label).first();
        await field.fill(text);
        await field.press("Enter");
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
        expect(writes, path).toEqual([]);
        await expect(page.getByRole("alert")).toHaveCount(0);
        await page.getByRole("dialog").getByRole("button", { name: "Cancelar" }).click();
        await page.getByRole("button", { name: "Salir sin guardar" }).click();
        await expect(page.getByRole("dialog")).toHaveCount(0);
        // oxlint-enable no-await-in-loop
      }
      await page.goto("/#/administration/roles?record=new");
      const name = page.getByRole("dialog").getByLabel("Nombre").first();
      await name.fill(`Rol ${mark}`);
      await name.press("Control+Enter");
      await expectSaved(page);
      expect(writes).toEqual(["POST /identity/roles"]);
    });
  });
}
