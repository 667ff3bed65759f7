/** By keyboard: the focus is visible, starts where one types, the second time as the first, and is never lost. */
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
    const verbs = page.getByRole("button", { name: "Más acciones de la orden" });
    await expect(verbs).toBeVisible();
    await page.keyboard.press("e");
    const edited = page.getByRole("dialog").getByRole("combobox", { name: "Cliente", exact: true });
    await expect(edited, `edit ${time}`).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Editar orden" })).toBeFocused();
    await page.keyboard.press("d");
    await expect(page.getByRole("textbox", { name: "PO#" }), `copy ${time}`).toBeFocused();

    await inPalette(page, order.customerSalesOrderId);
    await expect(verbs).toBeVisible();
    await page.keyboard.press("l");
    await expect(cell(page, "Producto", 3), `lines ${time}`).toBeFocused();
    // oxlint-enable no-await-in-loop
  }
});

/** What has the focus: a field of a dialog, a field of the page by its id, the page itself, or something else. */
const focusOf = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const isField = focused?.matches("input, textarea") === true;
    if (isField && focused.closest('[role="dialog"]') !== null) return "field of a dialog";
    return isField ? focused.id : focused?.localName;
  });

/**
 * Open a page by its whole title in the palette. The title comes at once, as pasted: twenty letters typed as quickly as
 * a script does are a scan to the page behind.
 */
async function openTitled(page: Page, title: string): Promise<void> {
  const options = page.getByRole("option");
  const field = page.getByRole("combobox", { name: /PO#, línea/ });
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await field.fill(title);
  const titles = options.locator(".ob-palette__title");
  await expect.poll(() => titles.allTextContents()).toContain(title);
  const place = (await titles.allTextContents()).indexOf(title);
  for (let step = 0; step < place; step += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(options).toHaveCount(0);
}

test("every page and every new record opened by keys has the focus where its keys work, twice", async ({
  pageOf,
}) => {
  test.slow(); // About eighty pages.
  const page = await pageOf("admin");
  await page.goto("/#/home");
  await expect(page.getByRole("button", { name: "Buscar en todo" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const pages = page.getByRole("group", { name: "Páginas" });
  await expect(pages).toBeVisible();
  const all = await pages.locator(".ob-palette__title").allTextContents();
  await page.keyboard.press("Escape");
  // Stations and the privacy notice have no palette.
  const titles = all.filter((title) => !/^(Estación|Aviso)/.test(title));
  expect(titles.length).toBeGreaterThan(35);
  const starts: Record<string, string> = {
    "Nueva orden de venta": "customerId",
    "Nueva factura": "customerId",
  };
  for (const time of [1, 2]) {
    for (const title of titles) {
      // oxlint-disable no-await-in-loop -- one page after the other
      const usual = /^Nuev[ao] /.test(title) ? "field of a dialog" : "main";
      await openTitled(page, title);
      // The drawer of the page before may still be closing.
      if (usual !== "main" && starts[title] === undefined)
        await expect(page.getByRole("dialog", { name: title, exact: true })).toBeVisible();
      await expect
        .poll(() => focusOf(page), { message: `${title}, time ${time}` })
        .toBe(starts[title] ?? usual);
      // oxlint-enable no-await-in-loop
    }
    for (const title of ["Usuarios", "Roles", "Pantallas", "Integraciones", "Webhooks"]) {
      // oxlint-disable no-await-in-loop
      await openTitled(page, title);
      await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
      await page.keyboard.press("n");
      await expect
        .poll(() => focusOf(page), { message: `${title}, new, time ${time}` })
        .toBe("field of a dialog");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      // oxlint-enable no-await-in-loop
    }
  }
});

test("when the focused button disappears, the focus moves to what comes next", async ({
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
  await expect(page.getByRole("button", { name: "Imprimir hojas" })).toBeFocused();

  await page.goto("/#/catalogs/customers?record=new");
  const drawer = page.getByRole("dialog");
  const add = drawer.getByRole("button", { name: "Agregar teléfono" });
  // A new row is where one types next.
  for (const row of ["Teléfono 1", "Teléfono 2"]) {
    // oxlint-disable no-await-in-loop
    await add.focus();
    await page.keyboard.press("Enter");
    await expect(drawer.getByRole("group", { name: row }).locator(":focus")).toHaveCount(1);
    // oxlint-enable no-await-in-loop
  }
  await drawer.getByRole("button", { name: "Quitar Teléfono 1" }).focus();
  await page.keyboard.press("Enter");
  await expect(drawer.getByRole("group", { name: /^Teléfono \d/ })).toHaveCount(1);
  await expect(drawer.getByRole("group", { name: "Teléfono 1" }).locator(":focus")).toHaveCount(1);
  await drawer.getByRole("button", { name: "Quitar Teléfono 1" }).focus();
  await page.keyboard.press("Enter");
  await expect(add).toBeFocused();

  // A row of an order's grid: the next row's product, and keys of the grid work there.
  await page.goto(`/#/operations/sales-orders/new?copy=${order.id}`);
  const remove = page.getByRole("button", { name: /^Quitar la línea 1/ });
  await remove.focus();
  await page.keyboard.press("Enter");
  await expect(cell(page, "Producto")).toBeFocused();
  await expect(cell(page, "Producto")).toHaveValue("");
});
