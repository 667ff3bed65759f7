/** A finished line is pre-billed, edited, billed, printed and canceled; refusals keep the input. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Delivery } from "@/contract";
import { chooseCustomer, finished, lineOf } from "./billing";
import { expect, expectSaved, test } from "./fixtures";
import { expectGood, LOOKS, named } from "./looks";

const chip = (page: Page, status: string) =>
  page.locator("main header .ob-chip").filter({ hasText: status });

const bill = (page: Page) => page.getByRole("button", { name: "Facturar", exact: true });
const confirm = (page: Page, answer: string) =>
  page.getByRole("dialog").getByRole("button", { name: answer });

test("a finished line is pre-billed, edited, billed, printed and canceled, and another screen follows", async ({
  apiOf,
  pageOf,
}) => {
  test.slow(); // Every step, in two browsers.
  const { customer, order } = await finished(await apiOf("admin"), [10]);
  const seller = await pageOf("sales");
  await seller.goto(`/#/operations/sales-order/${order.id}/position/1`);
  await expect(seller.getByText("Terminada", { exact: true })).toBeVisible();
  await expect(seller.getByText("En vivo", { exact: true })).toBeVisible();

  const page = await pageOf("clerk");
  await page.goto("/#/reports/bills");
  await page.getByRole("button", { name: "Nueva factura" }).click();
  await chooseCustomer(page, customer);
  await lineOf(page, order).getByRole("checkbox").check();
  const quantity = page.getByLabel(/^Cantidad por facturar/);
  await expect(quantity).toHaveValue("10");
  await quantity.fill("4");
  await page.getByLabel(/^Precio, línea 1/).fill("12.505");
  await page.getByLabel(/^Impuesto, línea 1/).fill("16");
  await page.getByLabel("Precio de envío").fill("99.9");
  await expect(page.locator(".ob-totals")).toContainText("$50.02 USD");
  await expect(page.locator(".ob-totals")).toContainText("$8.00 USD");
  await expect(page.locator(".ob-totals")).toContainText("$157.92 USD");
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  await expectSaved(page);
  await expect(page.getByRole("heading", { name: /^Prefactura P-\d{4,}$/ })).toBeVisible();
  await expect(page.locator(".ob-totals")).toContainText("$157.92 USD");

  await page.getByRole("button", { name: "Editar" }).click();
  await expect(quantity).toHaveValue("4");
  await quantity.fill("10");
  await page.getByLabel("Guía").fill("GUIA-7");
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  await expect(page.locator(".ob-facts").first()).toContainText("GUIA-7");
  await expect(seller.getByText("Terminada", { exact: true })).toBeVisible();

  await bill(page).click();
  await expect(page.getByRole("dialog")).toContainText("10 piezas");
  await confirm(page, "Sí, facturar").click();
  await expect(chip(page, "Facturada")).toBeVisible();
  const heading = page.getByRole("heading", { name: /^Factura F-\d{4,}$/ });
  await expect(heading).toBeVisible();
  const number = (await heading.innerText()).replace("Factura ", "");
  await expect(page.getByRole("button", { name: "Editar" })).toHaveCount(0);
  await expect(chip(seller, "Facturada")).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Descargar PDF" }).click();
  expect((await download).suggestedFilename()).toBe(`Factura_${number}.pdf`);
  const pdf = await readFile(await (await download).path());
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");

  await page.getByRole("button", { name: "Cancelar factura" }).click();
  await expect(page.getByRole("dialog")).toContainText("10 piezas se podrán facturar de nuevo");
  await confirm(page, "Sí, cancelar").click();
  await expect(chip(page, "Cancelada")).toBeVisible();
  await expect(seller.getByText("Terminada", { exact: true })).toBeVisible();

  await page.goto(`/#/reports/bills?search=${number.toLowerCase()}`);
  const found = page.getByRole("row").filter({ hasText: customer });
  await expect(found).toContainText("Cancelada");
  await expect(found.getByRole("link", { name: `Factura ${number}` })).toBeVisible();
  await expect(found).toContainText("$244.96 USD");
  await expect(page.getByRole("columnheader", { name: "Folio CFDI" })).toBeVisible();
  const exported = page.waitForEvent("download");
  await page.getByRole("button", { name: "Exportar" }).click();
  await page.getByRole("menuitem", { name: "Texto (CSV)" }).click();
  const csv = await readFile(await (await exported).path(), "utf8");
  expect(csv).toContain(customer);
  await page.getByRole("radiogroup", { name: "Estado" }).getByText("Prefacturas").click();
  await expect(page).toHaveURL(/status=PreBill/);
  await expect(page.getByText("Nada coincide con la búsqueda")).toBeVisible();
});

test("the form shows that another clerk has billed pieces, and no piece is billed twice", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { customer, customerId, order } = await finished(api, [10]);
  const page = await pageOf("clerk");
  await page.goto("/#/reports/bills/new");
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await chooseCustomer(page, customer);
  await lineOf(page, order).getByRole("checkbox").check();
  await page.getByLabel("Guía").fill("GUIA-9");
  await page.getByLabel(/^Cantidad por facturar/).fill("8");
  await api.call<Delivery>("POST", "/api/deliveries", {
    customerId,
    guideNumber: "GUIA-1",
    lines: [{ salesOrderId: order.id, position: 1, quantity: 6 }],
  });
  await expect(lineOf(page, order)).toContainText("Solo quedan 4");
  await bill(page).click();
  await confirm(page, "Sí, facturar").click();
  await expect(lineOf(page, order)).toContainText("excede lo que falta por facturar (4)");
  const quantity = page.getByLabel(/^Cantidad por facturar/);
  await expect(quantity).toHaveValue("8");
  await quantity.fill("4");
  await bill(page).click();
  await confirm(page, "Sí, facturar").click();
  await expect(chip(page, "Facturada")).toBeVisible();
});

test("a pre-bill that another clerk changed is overwritten only on purpose, and not once it is billed", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { customerId, order } = await finished(api, [10]);
  const made = await api.call<Delivery>("POST", "/api/deliveries", {
    preBill: true,
    customerId,
    lines: [{ salesOrderId: order.id, position: 1, quantity: 6 }],
  });
  const page = await pageOf("clerk");
  await page.goto(`/#/reports/bills/${made.id}/edit`);
  await page.getByLabel("Notas").fill("Con seguro");
  const change = (body: object) => api.call("PUT", `/api/deliveries/${made.id}`, body);
  await change({ guideNumber: "GUIA-2" });
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  const stale = page.locator(".ob-stale");
  await expect(stale).toContainText("GUIA-2");
  await expect(stale).toBeInViewport();
  await expect(page.getByLabel("Guía")).toHaveValue("GUIA-2");
  await expect(page.getByLabel("Notas")).toHaveValue("Con seguro");
  await page.getByRole("button", { name: "Guardar de todos modos" }).click();
  await expectSaved(page);
  await expect(page.locator(".ob-facts").first()).toContainText("Con seguro");

  await page.goto(`/#/reports/bills/${made.id}/edit`);
  await page.getByLabel("Notas").fill("Sin seguro");

  await change({ preBill: false });
  await page.getByRole("button", { name: "Guardar prefactura" }).click();
  await expect(stale).toContainText("ya facturó esta prefactura");
  await expect(bill(page)).toBeDisabled();
});

for (const look of LOOKS) {
  test(`the screens of bills and their boxes: ${named(look)}`, async ({ apiOf, pageOf }) => {
    test.slow(); // Six screens, each checked by axe.
    const api = await apiOf("admin");
    const { customer, customerId, order } = await finished(api, [12, 5]);
    const made = await api.call<Delivery>("POST", "/api/deliveries", {
      preBill: true,
      customerId,
      lines: order.items.map(({ position, quantity }) => ({
        salesOrderId: order.id,
        position,
        quantity,
      })),
    });
    const page = await pageOf("clerk", look);
    const looked = (where: string) => expectGood(page, where, look);

    await page.goto("/#/reports/bills");
    await expect(page.getByText(customer)).toBeVisible();
    await expect(page.locator(".ob-list-sum").first()).toContainText(/Facturado|Invoiced/);
    await looked("list");
    await page.goto(`/#/reports/bills/${made.id}`);
    await expect(page.locator(".ob-totals")).toBeVisible();
    await looked("pre-bill");
    await page.getByRole("button", { name: /^(Cancelar prefactura|Cancel pro-forma)$/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await looked("cancel");
    await page.goto(`/#/reports/bills/${made.id}/edit`);
    await expect(page.locator(".ob-picker")).toBeVisible();
    await page.getByRole("button", { name: /^(Facturar|Invoice)$/ }).click();
    await expect(page.locator(".ant-form-item-explain-error").first()).toBeVisible();
    await looked("edit with errors");

    await page.goto("/#/reports/bills/new");
    await expect(page.locator(".ob-ready")).toBeVisible();
    await looked("ready to bill");
    const other = await finished(api, [10, 4]);
    const issued = await api.call<Delivery>("POST", "/api/deliveries", {
      customerId: other.customerId,
      guideNumber: "GUIA-1",
      lines: [{ salesOrderId: other.order.id, position: 1, quantity: 10 }],
    });
    await page.goto(`/#/reports/bills/${issued.id}`);
    await page.getByRole("button", { name: /^(Términos y cajas|Terms and boxes)$/ }).click();
    await page.getByRole("button", { name: /^(Agregar una caja|Add a box)/ }).click();
    await expect(page.locator(".ob-export-box")).toBeVisible();
    await looked("boxes");
  });
}
