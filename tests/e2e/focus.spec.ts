/** By keyboard: the focused control is visible, never under a bar, and forms start in their first field. */
import type { Page } from "@playwright/test";
import { chooseCustomer, finished, lineOf } from "./billing";
import { cell, expect, test } from "./fixtures";

/** Press the key so many times. Returns the focused controls that a bar covered. */
async function hiddenFocus(page: Page, key: "Tab" | "Shift+Tab", steps: number): Promise<string[]> {
  const hidden: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press(key);
    // oxlint-disable-next-line no-await-in-loop
    const under = await page.evaluate(() => {
      const focused = document.activeElement;
      const bars = [...document.querySelectorAll(".ob-form-bar, .ob-selection, .ob-navbar")];
      if (focused === null || focused === document.body) return null;
      // The link to the content is above the bar.
      if (focused.matches(".ob-skip") || bars.some((bar) => bar.contains(focused))) return null;
      const box = focused.getBoundingClientRect();
      const covered = bars.some((bar) => {
        const { top, bottom } = bar.getBoundingClientRect();
        return box.bottom > top + 1 && box.top < bottom - 1;
      });
      return covered
        ? `${focused.tagName} ${focused.getAttribute("aria-label") ?? focused.textContent}`
        : null;
    });
    if (under !== null) hidden.push(under);
  }
  return hidden;
}

test("the bars of a bill and of the chosen records to pay never cover the focused control", async ({
  apiOf,
  pageOf,
}) => {
  const page = await pageOf("admin");
  await page.goto("/#/reports/pay-orders?view=records");
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  await expect(page.getByRole("region", { name: "Registros elegidos" })).toBeVisible();
  expect(await hiddenFocus(page, "Tab", 60)).toEqual([]);
  expect(await hiddenFocus(page, "Shift+Tab", 60)).toEqual([]);

  const { customer, order } = await finished(await apiOf("admin"), [10, 9, 8, 7, 6, 5, 4, 3]);
  await page.goto("/#/reports/bills/new");
  await chooseCustomer(page, customer);
  await expect(lineOf(page, order)).toBeVisible();
  await page.getByRole("checkbox", { name: "Marcar todas" }).check();
  await page.getByLabel("Folio CFDI").focus();
  expect(await hiddenFocus(page, "Tab", 40)).toEqual([]);
  expect(await hiddenFocus(page, "Shift+Tab", 40)).toEqual([]);
});

const inPalette = async (page: Page, text: string) => {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /PO#, línea/ })).toBeFocused();
  await page.keyboard.type(text);
  await expect(page.getByRole("option", { selected: true })).toBeVisible();
  await page.keyboard.press("Enter");
};

test("forms opened by keys focus their first field, the second time in a session too", async ({
  apiOf,
  pageOf,
}) => {
  const order = await (await apiOf("admin")).order(3, 4);
  const page = await pageOf("admin");
  const customer = page.getByRole("combobox", { name: "Cliente", exact: true });
  await page.goto("/#/operations/sales-orders");
  for (const way of ["n", "palette"]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await expect(page.locator("tr[data-row]").first()).toBeVisible();
    if (way === "n") await page.keyboard.press("n");
    else await inPalette(page, "nueva orden");
    await expect(page).toHaveURL(/sales-orders\/new$/);
    await expect(customer).toBeFocused();
    await page.keyboard.type("mai");
    await expect(customer).toHaveValue("mai");
    await page.keyboard.press("Escape");
    await inPalette(page, "órdenes de venta");
    await expect(page).toHaveURL(/sales-orders$/);
    // oxlint-enable no-await-in-loop
  }
  for (const time of [1, 2]) {
    // oxlint-disable no-await-in-loop
    await inPalette(page, "nueva factura");
    await expect(page).toHaveURL(/bills\/new$/);
    await expect(customer, `bill ${time}`).toBeFocused();

    await inPalette(page, order.customerSalesOrderId);
    await expect(page).toHaveURL(new RegExp(`sales-orders/${order.id}$`));
    await page.getByRole("button", { name: "Duplicar" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "PO#" }), `copy ${time}`).toBeFocused();

    await inPalette(page, order.customerSalesOrderId);
    await page.getByRole("button", { name: "Agregar o editar líneas" }).focus();
    await page.keyboard.press("Enter");
    await expect(cell(page, "Producto", 3), `lines ${time}`).toBeFocused();
    // oxlint-enable no-await-in-loop
  }
});

test("when the focused button disappears, the focus moves to a control beside it", async ({
  apiOf,
  pageOf,
}) => {
  const order = await (await apiOf("admin")).order(3);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  const approve = page.getByRole("button", { name: /^Aprobar/ });
  await approve.focus();
  await page.keyboard.press("Enter");
  await expect(approve).toHaveCount(0);
  await expect(page.locator(".ob-page-title__actions :focus")).toHaveCount(1);

  await page.goto("/#/catalogs/customers?record=new");
  const drawer = page.getByRole("dialog");
  const add = drawer.getByRole("button", { name: "Agregar teléfono" });
  await add.click();
  await add.click();
  for (const left of [1, 0]) {
    // oxlint-disable no-await-in-loop
    await drawer.getByRole("button", { name: "Quitar Teléfono 1" }).focus();
    await page.keyboard.press("Enter");
    await expect(drawer.getByRole("group", { name: /^Teléfono \d/ })).toHaveCount(left);
    await expect(drawer.locator(".ob-rows :focus")).toHaveCount(1);
    // oxlint-enable no-await-in-loop
  }
});
