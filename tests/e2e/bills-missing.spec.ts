/** Bills name what they lack, and each gap opens its field beside them; the folio can be added to a bill afterwards. */
import type { Page } from "@playwright/test";
import type { Delivery } from "@/contract";
import { ADDRESS, chooseCustomer, finished, lineOf } from "./billing";
import { expect, expectSaved, test } from "./fixtures";

const chip = (page: Page, status: string) =>
  page.locator("main header .ob-chip").filter({ hasText: status });
const bill = (page: Page) => page.getByRole("button", { name: "Facturar", exact: true });
const confirm = (page: Page, answer: string) =>
  page.getByRole("dialog").getByRole("button", { name: answer });

test("the form says beside each field what a bill lacks, and keeps the input", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { customer, order } = await finished(api, [3], { addresses: [] });
  const page = await pageOf("admin");
  await page.goto("/#/reports/bills/new");
  await expect(page.getByText("En vivo")).toBeVisible();
  await chooseCustomer(page, customer);
  await expect(lineOf(page, order)).toBeVisible();
  const gaps = page.getByRole("group", { name: "Falta para facturar" });
  await expect(gaps.getByRole("button")).toHaveText([
    `la dirección comercial de ${customer}`,
    "marcar una línea",
    "el número de guía",
  ]);
  await gaps.getByRole("button", { name: "el número de guía" }).click();
  await expect(page.getByLabel("Guía")).toBeFocused();
  await gaps.getByRole("button", { name: "marcar una línea" }).click();
  await expect(page.getByRole("checkbox").first()).toBeFocused();
  await bill(page).click();
  await expect(page.getByText("Seleccione al menos una línea para facturar")).toBeVisible();
  await expect(page.getByText("El número de guía es obligatorio")).toBeVisible();

  await lineOf(page, order).getByRole("checkbox").check();
  await page.getByLabel("Guía").fill("GUIA-8");
  await expect(page.getByText("El número de guía es obligatorio")).toHaveCount(0);
  await bill(page).click();
  const wrong = page.locator(".ant-form-item-has-error");
  await expect(wrong).toHaveCount(1);
  await expect(wrong).toContainText("Falta la dirección comercial");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await wrong.getByRole("button", { name: `la dirección comercial de ${customer}` }).click();
  const drawer = page.getByRole("dialog", { name: customer });
  await expect(drawer.getByLabel("Calle")).toBeFocused();
  await expect(drawer.getByRole("button", { name: "Eliminar" })).toHaveCount(0);
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer.getByText("Este dato es obligatorio")).toBeVisible();
  await drawer.getByLabel("Calle").fill("Av. Juárez");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page, customer);
  await expect(drawer).toHaveCount(0);
  await expect(page.getByLabel("Guía")).toHaveValue("GUIA-8");
  await expect(wrong).toHaveCount(0);
  await expect(gaps).toHaveCount(0);

  await page.getByRole("link", { name: "Facturas" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Seguir aquí" }).click();
  await page.reload();
  await expect(page.getByText("Recuperamos lo que estaba escribiendo.")).toBeVisible();
  await expect(page.getByLabel("Guía")).toHaveValue("GUIA-8");
  await expect(lineOf(page, order).getByRole("checkbox")).toBeChecked();
});

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
