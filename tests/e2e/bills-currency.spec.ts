/** The currency of a bill: the customer's, asked where it is in doubt, and never that of amounts in another. */
import type { Page } from "@playwright/test";
import { chooseCustomer, finished, lineOf } from "./billing";
import { choose, expect, test } from "./fixtures";

const currencyOf = (page: Page) => page.getByRole("combobox", { name: "Moneda" });
const chosenCurrency = (page: Page) =>
  page.locator(".ant-form-item").filter({ has: currencyOf(page) });
const priceOf = (page: Page) => page.getByLabel(/^Precio, línea 1/);

test("dollars never become pesos", async ({ apiOf, pageOf }) => {
  test.slow(); // The whole way of a bill, twice.
  const api = await apiOf("admin");
  const { customer, customerId, order } = await finished(api, [12]);
  const page = await pageOf("clerk");
  await page.goto("/#/reports/bills/new");
  await chooseCustomer(page, customer);
  await expect(chosenCurrency(page)).toContainText("USD");
  await lineOf(page, order).getByRole("checkbox").check();
  await expect(priceOf(page)).toHaveValue("12.5");
  await expect(page.locator(".ob-totals")).toContainText("$150.00 USD");

  // A price that nobody typed goes with its currency, and is asked for.
  await choose(page, currencyOf(page), "MXN");
  await expect(chosenCurrency(page)).toContainText("MXN");
  await expect(priceOf(page)).toHaveValue("");
  await expect(lineOf(page, order)).toContainText("El producto cuesta $12.50 USD");
  await expect(page.locator(".ob-totals")).toContainText("Total—");
  await expect(lineOf(page, order)).toContainText("Escriba un número");
  await expect(page.getByRole("button", { name: "Guardar prefactura" })).toBeDisabled();

  // One that was typed is never another currency's unasked.
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

  // Edited, all of it is somebody's word: asked, and sent with its new currency.
  await page.getByRole("button", { name: "Editar" }).click();
  await expect(priceOf(page)).toHaveValue("231.25");
  await choose(page, currencyOf(page), "USD");
  await question.getByRole("button", { name: "Los números ya están en USD" }).click();
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  // The form shows the same total before it is saved, and leaves for the bill's page once it is.
  await expect(page.getByRole("heading", { name: /^Prefactura P-\d{4,}$/ })).toBeVisible();
  await expect(page.locator(".ob-totals")).toContainText("$2,775.00 USD");

  // The customer's last bill was in another currency: the person says which it is.
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
