/** A pre-bill names the address that it lacks; the folio can be added to a bill afterwards. */
import type { Page } from "@playwright/test";
import type { Delivery } from "@/contract";
import { ADDRESS, finished } from "./billing";
import { expect, expectSaved, test } from "./fixtures";

const chip = (page: Page, status: string) =>
  page.locator("main header .ob-chip").filter({ hasText: status });
const bill = (page: Page) => page.getByRole("button", { name: "Facturar", exact: true });
const confirm = (page: Page, answer: string) =>
  page.getByRole("dialog").getByRole("button", { name: answer });

test("a pre-bill says which address is missing, and the bill takes its folio afterwards", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { customer, customerId, order } = await finished(api, [4], { addresses: [] });
  const made = await api.call<Delivery>("POST", "/api/deliveries", {
    preBill: true,
    customerId,
    lines: [{ salesOrderId: order.id, position: 1, quantity: 4 }],
  });
  const page = await pageOf("admin");
  await page.goto(`/#/reports/bills/${made.id}`);
  const facts = page.locator(".ob-facts").first();
  await expect(facts.getByRole("button")).toHaveText([
    `la dirección comercial de ${customer}`,
    "el número de guía",
  ]);
  await expect(facts).toContainText("Falta para facturar");
  await facts.getByRole("button", { name: "el número de guía" }).click();
  const drawer = page.getByRole("dialog", { name: "Folio y guía" });
  await drawer.getByLabel("Guía").fill("GUIA-1");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  await expect(facts.getByRole("button")).toHaveCount(1);
  await bill(page).click();
  const dialog = page.getByRole("dialog", { name: "¿Facturar?" });
  await expect(dialog.getByRole("button", { name: new RegExp(customer) })).toBeVisible();
  await confirm(page, "Sí, facturar").click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "Para facturar se requiere la dirección comercial del cliente",
  );
  await api.call("PUT", `/api/customers/${customerId}`, { addresses: [ADDRESS] });
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await confirm(page, "Sí, facturar").click();
  await expect(chip(page, "Facturada")).toBeVisible();

  await page.getByRole("button", { name: "Folio y guía" }).click();
  await drawer.getByLabel("Folio CFDI").fill("CFDI-77");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  await expect(facts).toContainText("CFDI-77");
  await expect(facts).toContainText("GUIA-1");
});
