/** The office by keyboard: Ctrl+K opens any page, arrows move through tables, `?` lists the keys. */
import type { Page } from "@playwright/test";
import { expect, PASSWORD, PEOPLE, test, unique } from "./fixtures";
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
    await expect(page).toHaveURL(/#\/dashboard$/);

    // Enter before the answer: the palette waits for it, and opens the line.
    await openPalette(page);
    await page.keyboard.type(`${order.customerSalesOrderId} 2`);
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

test("the palette finds words in any order, ignores late answers, and shows markup as text", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const mark = unique();
  await api.call("POST", "/api/customers", { name: `Óptica Ñandú ${mark}` });
  const page = await pageOf("admin");
  await page.goto("/#/home");
  await openPalette(page);
  await page.keyboard.type(`${mark} nandu optica`);
  const option = page.getByRole("option", { name: `Óptica Ñandú ${mark}` });
  await expect(option).toHaveAttribute("aria-selected", "true");
  await expect(field(page)).toHaveAttribute(
    "aria-activedescendant",
    (await option.getAttribute("id")) ?? "none",
  );
  await expectAccessible(page, "palette");

  // An answer to a former search is not shown.
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/search\?q=anillo$/, async (route) => {
    await held;
    await route.continue();
  });
  const late = page.waitForRequest(/q=anillo$/);
  await field(page).fill("anillo");
  await late;
  await field(page).fill("<img src=x onerror=alert(1)>");
  await expect(page.getByText("Nada se llama así: <img src=x onerror=alert(1)>")).toBeVisible();
  const answered = page.waitForResponse(/q=anillo$/);
  release();
  await answered;
  await expect(page.getByRole("option")).toHaveCount(0);
  await expect(page.locator("img[src=x]")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(field(page)).toBeHidden();
});

test("keys of a list search, add, open and tick rows, and `?` lists them", async ({ pageOf }) => {
  const page = await pageOf("admin");
  await page.goto("/#/operations/orders");
  const rows = page.locator("tr[data-row]");
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press(" ");
  await expect(rows.first().getByRole("checkbox")).toBeChecked();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Teclas de esta página" });
  await expect(list.getByText("Marcar el renglón")).toBeVisible();
  await expect(list.getByText("Agregar a esta lista")).toHaveCount(0);
  await expectAccessible(page, "keys");
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  const line = page.getByRole("dialog", { name: /^Línea/ });
  await expect(line).toBeVisible();
  // While a dialog is open, the keys of the page do nothing.
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(line).toBeHidden();
  await expect(rows.nth(1)).toBeFocused();

  await page.goto("/#/catalogs/customers");
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox");
  await expect(search).toBeFocused();
  await page.keyboard.type("n/?");
  await expect(search).toHaveValue("n/?");
  await search.fill("");
  await page.keyboard.press("ArrowDown");
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/record=new$/);
  const drawer = page.getByRole("dialog", { name: "Nuevo cliente" });
  await expect(drawer.getByLabel("Nombre").first()).toBeFocused();
});
