/** Browsers and extensions that translate a page replace its texts by `font` elements. The client survives that. */
import type { Page } from "@playwright/test";
import { choose, expect, test } from "./fixtures";

const crashed = (page: Page) => page.getByText("Algo falló en esta pantalla");

/** Replace each text by two nested `font` elements with a copy of it. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === "" || text.parentElement?.closest("script, style, svg")) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  });
}

test("a translated list is searched, and translated forms are filled in, refused and left without a crash", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  const path = "/#/operations/sales-orders";
  await page.goto(path);
  const filter = page.getByRole("main").getByRole("combobox").first();
  const isWhole = (url: URL) => url.href.endsWith(path);
  await expect(page.locator("tr[data-row]").first()).toBeVisible();
  for (const chooses of [true, false, true, false]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await translate(page);
    await filter.focus();
    if (chooses) {
      await page.keyboard.press("ArrowDown");
      await expect(page.getByRole("option").first()).toBeAttached();
      await translate(page);
      await page.keyboard.press("Enter");
      await expect(page).not.toHaveURL(isWhole);
    } else {
      await page.keyboard.press("Delete");
      await expect(page).toHaveURL(isWhole);
      await expect(page.locator("tr[data-row]").first()).toBeVisible();
    }
    await expect(crashed(page)).toHaveCount(0);
    // oxlint-enable no-await-in-loop
  }

  for (const catalog of ["/#/catalogs/customers", "/#/administration/roles"]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await page.goto(catalog);
    await expect(page.getByRole("main").getByRole("link").first()).toBeVisible();
    await translate(page);
    const search = page.getByRole("main").getByRole("searchbox").first();
    for (const typed of ["zzz", ""]) {
      await search.fill(typed);
      await expect(page).toHaveURL((url) => url.href.includes("zzz") === (typed !== ""));
      await translate(page);
    }
    await search.blur();
    await page.keyboard.press("n");
    const form = page.getByRole("dialog");
    await expect(form).toBeVisible();
    await translate(page);
    await page.keyboard.press("Control+Enter");
    await translate(page);
    await page.keyboard.press("Escape");
    await expect(form).toHaveCount(0);
    await expect(crashed(page)).toHaveCount(0);
    // oxlint-enable no-await-in-loop
  }

  await page.goto("/#/operations/sales-orders/new");
  const customer = page.getByRole("combobox", { name: "Cliente", exact: true });
  await expect(customer).toBeVisible();
  await translate(page);
  await choose(page, customer);
  await translate(page);
  await page.getByRole("button", { name: "Guardar orden" }).click();
  const missing = page.getByText("El consecutivo del cliente (PO#) es obligatorio");
  await expect(missing).toBeVisible();
  await translate(page);
  await page.getByLabel("PO#").fill("T-1");
  await expect(missing).toHaveCount(0);
  await expect(crashed(page)).toHaveCount(0);
});

test("a translated board still follows movements", async ({ apiOf, pageOf }) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(20);
  let line = await admin.approve(order.id);
  line = await admin.move("in", line, processId, 15);
  const board = await pageOf("sales", { size: "handheld" });
  await board.goto(`/#/shop-floor?process=${processId}`);
  const card = board.getByRole("listitem").filter({ hasText: order.customerSalesOrderId });
  await expect(card).toContainText("15/20");
  for (const left of [12, 7]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await translate(board);
    line = await admin.move("out", line, processId, left === 12 ? 3 : 5);
    await expect(card).toContainText(`${left}/20`);
    // oxlint-enable no-await-in-loop
  }
  await translate(board);
  await admin.move("out", line, processId);
  await expect(card).toHaveCount(0);
  await expect(crashed(board)).toHaveCount(0);
});
