/** Billing finished lines in few clicks, and what the export papers of a bill lack. */
import type { Page } from "@playwright/test";
import type { Delivery } from "@/contract";
import { finished } from "./billing";
import { choose, countClicks, expect, expectSaved, test, type Api } from "./fixtures";

const chip = (page: Page, status: string) =>
  page.locator("main header .ob-chip").filter({ hasText: status });

/** Create a bill of two lines. `taxed`: their product has a tariff item. */
async function billed(api: Api, { taxed = true, preBill = false } = {}): Promise<Delivery> {
  const { customerId, order } = await finished(api, [10, 4]);
  const [tariff] = await api.call<{ code: string }[]>("GET", "/api/export-tax-items?limit=1");
  if (taxed) {
    await api.call("PUT", `/api/items/${order.items[0]!.itemId}`, { taxItemKey: tariff!.code });
  }
  return api.call<Delivery>("POST", "/api/deliveries", {
    customerId,
    preBill,
    guideNumber: "GUIA-1",
    customRegime: "EXD",
    lines: order.items.map(({ position, quantity }) => ({
      salesOrderId: order.id,
      position,
      quantity,
    })),
  });
}

test("three lines are billed in five clicks at most from the list of what is ready", async ({
  apiOf,
  pageOf,
}) => {
  const { customer } = await finished(await apiOf("admin"), [3, 4, 5]);
  const page = await pageOf("clerk");
  const clicks = await countClicks(page);
  await page.goto("/#/reports/bills");
  await page.getByRole("button", { name: "Nueva factura" }).click();
  const ready = page.getByRole("list", { name: "Listo para facturar" });
  const theirs = ready.getByRole("button", { name: new RegExp(customer) });
  await expect(theirs).toContainText("3 líneas · 12 piezas");
  await theirs.click();
  const guide = page.getByLabel("Guía");
  await expect(guide).toBeFocused();
  await page.keyboard.type("GUIA-3");
  await expect(page.getByRole("status").filter({ hasText: "3 líneas" })).toContainText(
    "$150.00 USD",
  );
  await page.getByRole("button", { name: "Facturar", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sí, facturar" }).click();
  await expect(chip(page, "Facturada")).toBeVisible();
  expect(await clicks(), "new, customer, bill, yes").toBeLessThanOrEqual(5);
});

test("an order's finished lines are billed in three clicks from its page", async ({
  apiOf,
  pageOf,
}) => {
  const { customer, order } = await finished(await apiOf("admin"), [3, 4, 5]);
  const page = await pageOf("admin");
  const clicks = await countClicks(page);
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  await page.getByRole("button", { name: "Facturar 3 líneas" }).click();
  await expect(page.getByLabel("Guía")).toBeFocused();
  await page.keyboard.type("GUIA-6");
  await expect(page.getByText(customer).first()).toBeVisible();
  await page.getByRole("button", { name: "Facturar", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sí, facturar" }).click();
  await expect(chip(page, "Facturada")).toBeVisible();
  expect(await clicks(), "bill three lines, bill, yes").toBe(3);
});

test("a product without its tariff item is named beside the papers", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const page = await pageOf("admin");
  const section = page.getByRole("region", { name: "Comercio exterior" });
  const draft = await billed(api, { taxed: false, preBill: true });
  const { itemName } = draft.lines[0]!;
  await page.goto(`/#/reports/bills/${draft.id}`);
  const paper = section.getByRole("button", { name: "Factura comercial", exact: true });
  await expect(paper).toBeDisabled();
  await section.getByRole("button", { name: `la fracción arancelaria de ${itemName}` }).click();
  const product = page.getByRole("dialog", { name: new RegExp(itemName) });
  const [tariff] = await api.call<{ code: string }[]>("GET", "/api/export-tax-items?limit=1");
  await choose(page, product.getByLabel("Fracción arancelaria"), tariff!.code);
  await product.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  await expect(section).not.toContainText("la fracción arancelaria");
  await section.getByRole("button", { name: "elegir el Incoterm" }).click();
  const terms = page.getByRole("dialog", { name: "Términos y cajas" });
  await choose(page, terms.getByLabel("Incoterm 2020"), "FCA");
  await terms.getByRole("button", { name: "Guardar" }).click();
  await expect(paper).toBeEnabled();

  const issued = await billed(api, { taxed: false });
  await page.goto(`/#/reports/bills/${issued.id}`);
  const gap = `la fracción arancelaria de ${issued.lines[0]!.itemName}`;
  await expect(section.getByRole("button", { name: gap })).toBeVisible();
});
