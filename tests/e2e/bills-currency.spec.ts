/** The currency of a bill: the customer's, asked if in doubt, and never changed under typed amounts. */
import type { Page } from "@playwright/test";
import { chooseCustomer, finished, lineOf } from "./billing";
import { choose, expect, test } from "./fixtures";

const currencyOf = (page: Page) => page.getByRole("combobox", { name: "Moneda" });
const chosenCurrency = (page: Page) =>
  page.locator(".ant-form-item").filter({ has: currencyOf(page) });
const priceOf = (page: Page) => page.getByLabel(/^Precio, línea 1/);

test("a bill whose currency changes never keeps an amount of the former currency unasked", async ({
  apiOf,
  pageOf,
}) => {
  test.slow(); // Two bills from the form to their pages.
  const api = await apiOf("admin");
  const { customer, customerId, order } = await finished(api, [12]);
  const page = await pageOf("clerk");
  await page.goto("/#/reports/bills/new");
  await chooseCustomer(page, customer);
  await expect(chosenCurrency(page)).toContainText("USD");
  await lineOf(page, order).getByRole("checkbox").check();
  await expect(priceOf(page)).toHaveValue("12.5");
  await expect(page.locator(".ob-totals")).toContainText("$150.00 USD");

  // A price that was filled in from the product is cleared when the currency changes.
  await choose(page, currencyOf(page), "MXN");
  await expect(chosenCurrency(page)).toContainText("MXN");
  await expect(priceOf(page)).toHaveValue("");
  await expect(lineOf(page, order)).toContainText("El producto cuesta $12.50 USD");
  await expect(page.locator(".ob-totals")).toContainText("Total—");
  // It says so only after an attempt to save.
  await expect(page.getByRole("button", { name: "el precio de 1 línea" })).toBeVisible();
  await expect(lineOf(page, order)).not.toContainText("Escriba un número");
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  await expect(lineOf(page, order)).toContainText("Escriba un número");
  await expect(page.getByRole("button", { name: "Guardar prefactura" })).toBeDisabled();

  // A rate fills it in.
  await page.getByLabel(/^Tipo de cambio/).fill("18.4");
  await page.getByRole("button", { name: "Poner el precio" }).click();
  await expect(priceOf(page)).toHaveValue("230");
  await expect(page.getByRole("button", { name: "Guardar prefactura" })).toBeEnabled();

  // Before a typed price changes its currency, the form asks.
  await priceOf(page).fill("231.25");
  await choose(page, currencyOf(page), "USD");
  const question = page.getByRole("dialog", { name: "¿Cambiar la moneda de MXN a USD?" });
  await expect(question).toContainText("Usted escribió 1 importe en MXN");
  await question.getByRole("button", { name: "No, dejar MXN" }).click();
  await expect(chosenCurrency(page)).toContainText("MXN");
  await expect(priceOf(page)).toHaveValue("231.25");
  await choose(page, currencyOf(page), "USD");
  await question.getByRole("button", { name: "Cambiar a USD y vaciarlos" }).click();
  await expect(chosenCurrency(page)).toContainText("USD");
  await expect(priceOf(page)).toHaveValue("");
  await choose(page, currencyOf(page), "MXN");
  await priceOf(page).fill("231.25");
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  await expect(page.getByRole("heading", { name: /^Prefactura P-\d{4,}$/ })).toBeVisible();
  await expect(page.locator(".ob-totals")).toContainText("$2,775.00 MXN");

  // In an edited pre-bill all prices count as typed: the form asks, and sends them with the new currency.
  await page.getByRole("button", { name: "Editar" }).click();
  await expect(priceOf(page)).toHaveValue("231.25");
  await choose(page, currencyOf(page), "USD");
  await question.getByRole("button", { name: "Los números ya están en USD" }).click();
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  // Wait for the page of the bill: the form shows the same total before it is saved.
  await expect(page.getByRole("heading", { name: /^Prefactura P-\d{4,}$/ })).toBeVisible();
  await expect(page.locator(".ob-totals")).toContainText("$2,775.00 USD");

  // If the customer's last bill was in another currency, the person must choose one.
  await api.call("POST", "/api/deliveries", {
    preBill: true,
    customerId,
    currency: "EUR",
    lines: [{ salesOrderId: order.id, position: 1, quantity: 1, price: 9 }],
  });
  await page.goto("/#/reports/bills/new");
  await chooseCustomer(page, customer);
  await expect(chosenCurrency(page)).toContainText("su última factura fue en EUR: elija");
  await lineOf(page, order).getByRole("checkbox").check();
  await expect(priceOf(page)).toHaveValue("");
  await choose(page, currencyOf(page), "USD");
  await expect(priceOf(page)).toHaveValue("12.5");
});
