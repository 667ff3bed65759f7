/** The office by keyboard: Ctrl+K opens any page, arrows move through tables. */
import type { Page } from "@playwright/test";
import type { OrderSummary } from "@/contract";
import { expect, PASSWORD, PEOPLE, test } from "./fixtures";
import { expectAccessible } from "./looks";

const field = (page: Page) => page.getByRole("combobox", { name: /PO#, línea/ });

/** Open the palette, and wait for the focus in its field. */
async function openPalette(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "Buscar en todo" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
}

async function tabTo(page: Page, selector: string): Promise<void> {
  await expect(async () => {
    if (!(await page.locator(selector).evaluate((each) => each === document.activeElement))) {
      await page.keyboard.press("Tab");
    }
    await expect(page.locator(selector)).toBeFocused({ timeout: 100 });
  }).toPass();
}

test(
  "a person signs in, opens a line and moves through a table by keyboard",
  { tag: "@alone" },
  async ({ apiOf, page }) => {
    const order = await (await apiOf("admin")).order(3, 4);
    await page.goto("/");
    await expect(page.locator("#email")).toBeVisible();
    await tabTo(page, "#email");
    await page.keyboard.type(PEOPLE.admin);
    await tabTo(page, "#password");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#\/home$/);

    await openPalette(page);
    // Nothing is typed, and nothing was opened before.
    await page.keyboard.press("Enter");
    await expect(field(page)).toBeFocused();
    // Enter before the answer: the palette waits for it, and opens the line.
    // Typed at a person's pace: 20 letters at once are a scanner's.
    await page.keyboard.type(`${order.customerSalesOrderId} 2`, { delay: 70 });
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/operations/sales-order/${order.id}/position/2$`));
    await expect(
      page.getByRole("main").getByText(order.customerSalesOrderId).first(),
    ).toBeVisible();

    await openPalette(page);
    await page.keyboard.type("sales orders");
    await expect(page.getByRole("option", { selected: true })).toHaveText("Órdenes de venta");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#\/operations\/sales-orders$/);
    await expect(page.locator("tr[data-row]").first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    const rows = page.locator("tr[data-row]");
    await expect(rows.first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await expect(rows.first()).toContainText(order.customerSalesOrderId);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/operations/sales-orders/${order.id}$`));
  },
);

test("the palette answers where a line is in nine keys, runs the page's actions, and offers what was opened last", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const page = await pageOf("admin");
  // The demo's orders are called NLS-26115.
  const orders = await api.call<OrderSummary[]>("GET", "/api/sales-order?search=NLS-26&limit=100");
  const known = orders.find(
    ({ customerSalesOrderId: po, linesCount }) => /^NLS-\d{5}$/.test(po) && linesCount >= 3,
  );
  const number = known!.customerSalesOrderId.slice(-5);
  await page.goto("/#/home");
  await openPalette(page);
  await page.keyboard.type(`${number} 3`);
  const answer = page.getByRole("option", { selected: true });
  await expect(answer).toContainText(`${known!.customerSalesOrderId} · línea 3`);
  const where = await answer.locator(".ob-palette__note").textContent();
  expect(2 + number.length + 2, "keys").toBeLessThanOrEqual(9);
  await field(page).fill(`nls ${number} l3`);
  await expect(answer).toContainText(`${known!.customerSalesOrderId} · línea 3`);
  await page.keyboard.press("Enter");
  const standing = page.getByRole("article").getByRole("paragraph").first();
  await expect(standing).toBeVisible();
  const [process] = (await standing.textContent())!.split(" desde ");
  expect(where).toContain(process);

  await page.goto(`/#/operations/sales-orders/${known!.id}`);
  await expect(page.getByRole("button", { name: "Más acciones de la orden" })).toBeVisible();
  // The line is the last thing that was opened, besides the order on screen.
  await openPalette(page);
  const recent = page.getByRole("group", { name: "Recientes" }).getByRole("option");
  await expect(recent.first()).toContainText(`${known!.customerSalesOrderId} · línea 3`);
  await expectAccessible(page, "palette with recent records and actions");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/sales-order/${known!.id}/position/3$`));

  await openPalette(page);
  await page.keyboard.type("tema");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/^Cambiar entre tema/);
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await openPalette(page);
  await page.keyboard.type("historial");
  await expect(page.getByRole("option", { selected: true })).toHaveText(/^Ver el historial/);
  await page.keyboard.press("Enter");
  await expect(field(page)).toHaveCount(0);
});
