/** The office by keyboard: Ctrl+K opens any page, arrows move through tables, `?` lists the keys. */
import type { Page } from "@playwright/test";
import type { OrderSummary } from "@/contract";
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

    await openPalette(page);
    // Nothing is typed, and nothing was opened before.
    await page.keyboard.press("Enter");
    await expect(field(page)).toBeFocused();
    // Enter before the answer: the palette waits for it, and opens the line.
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

test("an order is approved by one key, and no key acts while one types, scans or answers a dialog", async ({
  apiOf,
  pageOf,
}) => {
  const order = await (await apiOf("admin")).order(3, 4);
  const page = await pageOf("admin");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(new URL(request.url()).pathname);
  });
  const writes = () => sent.filter((path) => /approve|pdf|sheets/.test(path));
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  const verbs = page.locator(".ob-page-title__actions").getByRole("button");
  const approve = page.getByRole("button", { name: "Aprobar orden (2 líneas)" });
  await expect(approve).toHaveAttribute("aria-keyshortcuts", "a");
  // The next step is the first button, and the primary one. No red one stands beside it.
  await expect(verbs.first()).toHaveText(/^Aprobar orden/);
  await expect(verbs.last()).toHaveAccessibleName("Más acciones de la orden");
  await expect(page.locator(".ob-page-title__actions .ant-btn-dangerous")).toHaveCount(0);
  await expectAccessible(page, "verbs");

  // In a burst, every letter has a verb.
  await page.keyboard.type("paelda");
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Teclas de esta página" });
  await expect(list).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(list.getByText("Aprobar la orden")).toBeVisible();
  await page.keyboard.press("a");
  await page.keyboard.press("Escape");
  await expect(list).toHaveCount(0);
  await page.keyboard.press("e");
  const form = page.getByRole("dialog", { name: /^Editar la orden/ });
  await expect(form.getByRole("combobox", { name: "Cliente", exact: true })).toBeFocused();
  await page.keyboard.type("a");
  await page.keyboard.press("Escape");
  await expect(form.getByRole("combobox", { name: "Cliente", exact: true })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  expect(writes()).toEqual([]);

  await page.keyboard.press("a");
  await expect(page.getByText(/: 2 líneas aprobadas$/)).toBeVisible();
  expect(writes()).toEqual([`/api/sales-order/${order.id}/approve`]);
  // Printing is next: it is where Approve was, is primary, and has the focus.
  await expect(approve).toHaveCount(0);
  await expect(verbs.first()).toHaveText(/^Imprimir hojas/);
  await expect(verbs.first()).toBeFocused();
  await expect(verbs.first()).toHaveClass(/ant-btn-primary/);
});

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
  const standing = page.locator(".ob-line__standing");
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
