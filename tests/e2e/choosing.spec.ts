/** Lists by keyboard: in every kind of list Enter chooses, and Tab leaves without choosing. */
import type { Locator, Page } from "@playwright/test";
import type { ProductionProcess } from "@/contract";
import { cell, expect, test, unique, type Api } from "./fixtures";

const options = (page: Page) =>
  page.locator(".ant-select-dropdown:visible .ant-select-item-option");
const combobox = (within: Page | Locator, name: string) =>
  within.getByRole("combobox", { name, exact: true });
/** The texts that a field shows as chosen. */
const chosen = (field: Locator) =>
  field
    .locator("xpath=ancestor::div[contains(concat(' ', @class, ' '), ' ant-select ')]")
    .locator(".ant-select-selection-item-content, .ant-select-content-has-value")
    .allTextContents();

async function plantOrder(api: Api): Promise<string[]> {
  const rows = await api.call<ProductionProcess[]>(
    "GET",
    "/api/production-processes?ordering=order",
  );
  return rows.map(({ name }) => name);
}

test("a new user's form keeps the roles and processes chosen by Enter, and no others", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const page = await pageOf("admin");
  await page.goto("/#/administration/users");
  await expect(page.locator("tr[data-row]").first()).toBeVisible();
  await page.keyboard.press("n");
  const drawer = page.getByRole("dialog", { name: "Nuevo usuario" });
  const roles = combobox(drawer, "Roles");
  await roles.focus();
  await page.keyboard.type("taller");
  await expect(options(page)).toHaveText(["Taller", "Jefatura de taller"]);
  await page.keyboard.press("Enter");
  await expect.poll(() => chosen(roles)).toEqual(["Taller"]);
  await page.keyboard.press("Tab");
  const processes = combobox(drawer, "Procesos de producción");
  await expect(processes).toBeFocused();
  expect(await chosen(roles)).toEqual(["Taller"]);

  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toBeVisible();
  const offered = await options(page).allTextContents();
  const names = await plantOrder(api);
  expect(offered).toEqual(names.slice(0, offered.length));
  await page.keyboard.type("Limado");
  await expect(options(page).first()).toHaveText("Limado");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  const type = combobox(drawer, "Tipo de usuario");
  await expect(type).toBeFocused();
  expect(await chosen(processes)).toEqual(["Limado"]);

  // A list without a search.
  const before = await chosen(type);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(combobox(drawer, "Idioma")).toBeFocused();
  expect(await chosen(type)).toEqual(before);
});

test("Tab does not change filters, a product or the lanes of the board, and skips the icon that clears", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  await page.goto("/#/operations/sales-orders");
  await expect(page.locator("tr[data-row]").first()).toBeVisible();
  const status = combobox(page, "Estado");
  const customer = combobox(page, "Cliente");
  await status.focus();
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await expect(customer).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Tab");
  const from = page.getByRole("textbox", { name: "Desde" });
  await expect(from).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("textbox", { name: "Hasta" })).toBeFocused();
  await expect(from).toHaveValue("");
  await expect(page).toHaveURL(/sales-orders$/);

  await status.focus();
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/status=/);
  await page.keyboard.press("Tab");
  await expect(customer).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Delete");
  await expect(page).not.toHaveURL(/status=/);

  await page.goto("/#/shop-floor");
  const lanes = page.locator(".ob-board__filter").getByRole("combobox");
  await lanes.focus();
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(lanes).not.toBeFocused();
  await expect(page).toHaveURL(/shop-floor$/);

  await page.goto("/#/operations/sales-orders/new");
  await cell(page, "Producto").fill("anillo");
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Tab");
  await expect(cell(page, "Cantidad")).toBeFocused();
  await expect(cell(page, "Producto")).toHaveValue("anillo");
});

test(
  "the form of a new process suggests the last place, and saves it there",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    const api = await apiOf("admin");
    const page = await pageOf("admin");
    await page.goto("/#/catalogs/production-process");
    for (const name of [`Proceso ${unique()}`, `Proceso ${unique()}`]) {
      // oxlint-disable no-await-in-loop -- one after the other
      const [last] = await api.call<ProductionProcess[]>(
        "GET",
        "/api/production-processes?ordering=-order&limit=1",
      );
      const next = String(last!.order + 1);
      await page.getByRole("button", { name: "Nuevo proceso" }).first().click();
      const drawer = page.getByRole("dialog", { name: "Nuevo proceso" });
      await expect(drawer.getByLabel("Lugar", { exact: true })).toHaveValue(next);
      await drawer.getByLabel("Nombre", { exact: true }).fill(name);
      await page.keyboard.press("Control+Enter");
      await expect(drawer).toBeHidden();
      const made = await api.call<ProductionProcess[]>(
        "GET",
        `/api/production-processes?search=${encodeURIComponent(name)}`,
      );
      expect(made.map(({ order, id }) => [String(order), typeof id])).toEqual([[next, "number"]]);
      // oxlint-enable no-await-in-loop
    }
  },
);
