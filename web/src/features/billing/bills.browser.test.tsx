import { expect, it } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import type { Delivery } from "@/contract";
import { open, showApp } from "@/testing/app";
import { aBill, aBillable } from "@/testing/bills";
import { choose } from "@/testing/choose";
import { unmountAll } from "@/testing/mount";
import type { Answers, Asked } from "@/testing/pages";

const term = (code: string, name: string) => ({ code, nameEs: name, nameEn: name });
const CUSTOMER = {
  id: 1,
  name: "Platería Norte",
  customerTypeId: null,
  taxSectionId: null,
  taxId: "",
  quinto: "",
  currency: "USD",
  addresses: [],
  phones: [],
  emails: [],
  status: true,
  version: 1,
};
const ANSWERS: Answers = {
  "GET /api/catalogs": [
    {
      key: "currencies",
      entries: [term("USD", "Dólar"), term("MXN", "Peso"), term("EUR", "Euro")],
    },
  ],
  "GET /api/customers": [CUSTOMER],
  "GET /api/companies": [{ id: 2, name: "Taller de Plata" }],
  "GET /api/deliveries/billable": [aBillable({ quantity: 12, remaining: 12 })],
  "GET /api/deliveries/currencies": { customer: "USD", last: null },
  "GET /api/deliveries/addresses": { customer: true, company: true },
};

/** Show a page with a bill, and return what was sent for bills. */
async function show(at: string, answers: Answers = {}) {
  const asked = await showApp({
    at,
    permissions: ["CreateDelivery", "UpdateDelivery", "ReportListBills", "UpdateCustomer"],
    answers: { ...ANSWERS, ...answers },
  });
  return {
    sent: (write: string) =>
      asked.filter(({ method, path }) => `${method} ${path}` === write).map(({ body }) => body),
  };
}

const NEW = "/reports/bills/new";
const button = (name: string | RegExp, within: Locator = page.getByRole("main")) =>
  within.getByRole("button", { name, exact: true });
const field = (name: string | RegExp, within: Locator = page.getByRole("main")) =>
  within.getByLabelText(name, { exact: true });
const dialog = (name?: string) => page.getByRole("dialog", name === undefined ? {} : { name });
const line = page.getByRole("row", { name: "PO-1 · línea 1" });
const customer = page.getByRole("combobox", { name: "Cliente" });
const currency = page.getByRole("combobox", { name: "Moneda" });
const price = page.getByLabelText(/^Precio, línea 1/);
const textOf = (selector: string) => () => document.querySelector(selector)?.textContent;
const totals = textOf(".ob-totals");
const chosenCurrency = () => currency.element().closest(".ant-form-item")?.textContent;
async function says(part: Locator, text: string): Promise<void> {
  await expect.poll(() => part.element().textContent).toContain(text);
}
const recovered = page.getByText("Recuperamos lo que estaba escribiendo.");

it("a bill whose currency changes never keeps an amount of the former currency unasked", async () => {
  let bill = aBill();
  let last: string | null = null;
  const save = ({ body }: Asked) => {
    const { currency: now, lines } = body as Delivery;
    bill = aBill({
      currency: now,
      version: bill.version + 1,
      lines: aBill().lines.map((one) => ({ ...one, ...lines[0] })),
    });
    return bill;
  };
  const { sent } = await show(NEW, {
    "POST /api/deliveries": save,
    "PUT /api/deliveries/7": save,
    "GET /api/deliveries/7": () => bill,
    "GET /api/deliveries/currencies": () => ({ customer: "USD", last }),
  });
  await choose(customer, "Platería Norte");
  await expect.poll(chosenCurrency).toContain("USD");
  await line.getByRole("checkbox").click();
  await expect.element(price).toHaveValue("12.5");
  await expect.poll(totals).toContain("$150.00 USD");

  // A price that was filled in from the product is cleared when the currency changes.
  await choose(currency, "MXN");
  await expect.element(price).toHaveValue("");
  await says(line, "El producto cuesta $12.50 USD");
  await expect.poll(totals).toContain("Total—");
  // It says so only after an attempt to save.
  await expect.element(button("el precio de 1 línea")).toBeVisible();
  expect(line.element().textContent).not.toContain("Escriba un número");
  await button("Guardar prefactura").click();
  await says(line, "Escriba un número");
  await expect.element(button("Guardar prefactura")).toBeDisabled();

  // A rate fills it in.
  await page.getByLabelText(/^Tipo de cambio/).fill("18.4");
  await button("Poner el precio").click();
  await expect.element(price).toHaveValue("230");

  // Before a typed price changes its currency, the form asks.
  await price.fill("231.25");
  await choose(currency, "USD");
  const question = dialog("¿Cambiar la moneda de MXN a USD?");
  await says(question, "Usted escribió 1 importe en MXN");
  await button("No, dejar MXN", question).click();
  await expect.poll(chosenCurrency).toContain("MXN");
  await expect.element(price).toHaveValue("231.25");
  await choose(currency, "USD");
  await button("Cambiar a USD y vaciarlos", question).click();
  await expect.poll(chosenCurrency).toContain("USD");
  await expect.element(price).toHaveValue("");
  await choose(currency, "MXN");
  await price.fill("231.25");
  await button("Guardar prefactura").click();
  await expect
    .poll(() => sent("POST /api/deliveries"))
    .toMatchObject([{ currency: "MXN", lines: [{ price: 231.25 }] }]);

  // In an edited pre-bill all prices count as typed: the form asks, and sends them with the new currency.
  await button("Editar").click();
  await expect.element(price).toHaveValue("231.25");
  await choose(currency, "USD");
  await button("Los números ya están en USD", question).click();
  await button("Guardar prefactura").click();
  await expect
    .poll(() => sent("PUT /api/deliveries/7"))
    .toMatchObject([{ currency: "USD", lines: [{ price: 231.25 }] }]);

  // If the customer's last bill was in another currency, the person must choose one.
  last = "EUR";
  await open(NEW);
  await choose(customer, "Platería Norte");
  await expect.poll(chosenCurrency).toContain("su última factura fue en EUR: elija");
  await line.getByRole("checkbox").click();
  await expect.element(price).toHaveValue("");
  await choose(currency, "USD");
  await expect.element(price).toHaveValue("12.5");
});

it("the form says beside each field what a bill lacks, and keeps the input", async () => {
  let known: object = CUSTOMER;
  let isMended = false;
  const answers = {
    "GET /api/customers/1": () => known,
    "PUT /api/customers/1": ({ body }: Asked) => {
      isMended = true;
      known = { ...CUSTOMER, ...(body as object), version: 2 };
      return known;
    },
    "GET /api/deliveries/addresses": () => ({ customer: isMended, company: true }),
  };
  const { sent } = await show(NEW, answers);
  await choose(customer, "Platería Norte");
  await expect.element(line).toBeVisible();
  const gaps = page.getByRole("group", { name: "Falta para facturar" });
  const said = () => [...gaps.element().querySelectorAll("button")].map((one) => one.textContent);
  await expect
    .poll(said)
    .toEqual(["la dirección comercial de Platería Norte", "marcar una línea", "el número de guía"]);
  await button("el número de guía", gaps).click();
  await expect.element(field("Guía")).toHaveFocus();
  await button("marcar una línea", gaps).click();
  await expect.element(page.getByRole("checkbox").first()).toHaveFocus();
  await button("Facturar").click();
  const noGuide = page.getByText("El número de guía es obligatorio");
  await expect.element(page.getByText("Seleccione al menos una línea para facturar")).toBeVisible();
  await expect.element(noGuide).toBeVisible();

  await line.getByRole("checkbox").click();
  await button("Entrega en mano").click();
  await expect.element(field("Guía")).toHaveValue("Entrega en mano");
  await expect.element(noGuide).not.toBeInTheDocument();
  await expect.element(page.getByLabelText("Régimen aduanero")).not.toBeVisible();
  await page.getByText("Exportación", { exact: true }).click();
  await expect.element(page.getByLabelText("Régimen aduanero")).toBeVisible();
  await field("Guía").fill("GUIA-8");
  await expect.element(noGuide).not.toBeInTheDocument();
  await button("Facturar").click();
  const wrong = () =>
    [...document.querySelectorAll(".ant-form-item-has-error")].map((one) => one.textContent);
  await expect.poll(wrong).toEqual([expect.stringContaining("Falta la dirección comercial")]);
  await expect.element(dialog()).not.toBeInTheDocument();
  await button("la dirección comercial de Platería Norte").first().click();
  const drawer = dialog("Platería Norte");
  await expect.element(field("Calle", drawer)).toHaveFocus();
  await expect.element(button("Eliminar", drawer)).not.toBeInTheDocument();
  await button("Guardar", drawer).click();
  await expect.element(drawer.getByText("Este dato es obligatorio")).toBeVisible();
  await field("Calle", drawer).fill("Av. Juárez");
  await button("Guardar", drawer).click();
  await expect.element(drawer).not.toBeInTheDocument();
  expect(sent("PUT /api/customers/1")).toMatchObject([{ addresses: [{ street: "Av. Juárez" }] }]);
  await expect.element(field("Guía")).toHaveValue("GUIA-8");
  await expect.poll(wrong).toEqual([]);
  await expect.element(gaps).not.toBeInTheDocument();

  await page.getByRole("link", { name: "Facturas" }).click();
  await button("Seguir aquí", dialog()).click();
  // As after a reload.
  unmountAll();
  await show(NEW, answers);
  await expect.element(recovered).toBeVisible();
  await expect.element(field("Guía")).toHaveValue("GUIA-8");
  await expect.element(line.getByRole("checkbox")).toBeChecked();
});

it("a pre-bill without a tracking number is billed once it has one, which a reload keeps", async () => {
  const bill = aBill({ guideNumber: "" });
  const answers = {
    "GET /api/deliveries/7": bill,
    "PUT /api/deliveries/7": { ...bill, status: "Billed", guideNumber: "GUIA-12", version: 2 },
  };
  await show("/reports/bills/7", answers);
  await button("Facturar").click();
  const asking = dialog("¿Facturar?");
  const guide = field("Guía", asking);
  await expect.element(guide).toHaveFocus();
  await button("Sí, facturar", asking).click();
  await expect.element(asking.getByText("El número de guía es obligatorio")).toBeVisible();
  await expect.element(guide).toHaveFocus();
  await guide.fill("GUIA-12");
  // As after a reload.
  unmountAll();
  const { sent } = await show("/reports/bills/7", answers);
  await says(asking, "Recuperamos lo que estaba escribiendo.");
  await expect.element(guide).toHaveValue("GUIA-12");
  await guide.click();
  await userEvent.keyboard("{Enter}");
  await expect
    .poll(() => sent("PUT /api/deliveries/7"))
    .toEqual([expect.objectContaining({ guideNumber: "GUIA-12", preBill: false })]);
  await expect.element(asking).not.toBeInTheDocument();
});

it("Ctrl+Enter on a new bill does what its main button does: it asks before it bills", async () => {
  const { sent } = await show(NEW, { "POST /api/deliveries": aBill({ status: "Billed" }) });
  await choose(customer, "Platería Norte");
  await line.getByRole("checkbox").click();
  await field("Guía").fill("GUIA-9");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  const asking = dialog("¿Facturar?");
  await expect.element(asking).toBeVisible();
  expect(sent("POST /api/deliveries")).toEqual([]);
  await button("Sí, facturar", asking).click();
  await expect.poll(() => sent("POST /api/deliveries")).toMatchObject([{ preBill: false }]);
});

it("a canceled bill says that it was deleted, as everything that is deleted", async () => {
  const bill = aBill({ status: "Billed", number: "F-0007" });
  let now = bill;
  await show("/reports/bills/7", {
    "GET /api/deliveries/7": () => now,
    "DELETE /api/deliveries/7": () => (now = { ...bill, status: "Canceled", version: 2 }),
  });
  await button("Cancelar factura").click();
  await button("Sí, cancelar", dialog()).click();
  await expect.poll(textOf(".ob-toast")).toMatch(/^Eliminado correctamente: .*F-0007 cancelada/);
});

it("boxes are packed and weighed, and both papers are printed", async () => {
  const [ring] = aBill().lines;
  let bill = aBill({
    export: aBill().export,
    lines: [
      { ...ring!, quantity: 10 },
      { ...ring!, position: 2, itemName: "Arete", quantity: 4 },
    ],
  });
  const answers = {
    "GET /api/deliveries/7": () => bill,
    "PUT /api/deliveries/7/export": ({ body }: Asked) => {
      const packed = body as Delivery["export"];
      bill = {
        ...bill,
        version: 2,
        export: { ...packed, pieces: 14, netKg: 1.833, grossKg: 2.15 },
      };
      return bill;
    },
  };
  await show("/reports/bills/7", answers);
  const section = page.getByRole("region", { name: "Comercio exterior" });
  await expect.element(button("Lista de empaque", section)).toBeDisabled();
  await says(section, "0 de 14 piezas empacadas");
  await button("Términos y cajas", section).click();
  const drawer = dialog("Términos y cajas");
  await choose(field("Incoterm 2020", drawer), "FCA");
  await field("Lugar convenido", drawer).fill("Laredo, TX");
  const addBox = () => button(/^Agregar una caja/, drawer).click();
  const [net, gross] = [drawer.getByLabelText("Peso neto"), drawer.getByLabelText("Peso bruto")];
  await addBox();
  await net.fill("1.5");
  await gross.fill("1.25");
  const tooLight = drawer.getByText("El bruto no puede ser menor que el neto");
  await expect.element(tooLight).toBeVisible();
  await gross.fill("1.75");
  await expect.element(tooLight).not.toBeInTheDocument();
  const first = drawer.getByLabelText(/^Piezas de .* en la caja 1$/).first();
  await expect.element(first).toHaveValue("10");
  await first.fill("11");
  await expect.element(drawer.getByText("Solo quedan 10 por empacar")).toBeVisible();
  await first.fill("6");
  await addBox();
  await expect.element(drawer.getByLabelText(/ en la caja 2$/)).toHaveValue("4");
  await net.nth(1).fill("0.333");
  await gross.nth(1).fill("0.4");
  await says(drawer.getByRole("status").last(), "14 de 14 piezas");

  // As after a reload.
  unmountAll();
  const { sent } = await show("/reports/bills/7", answers);
  await expect.element(recovered).toBeVisible();
  await expect.element(field("Lugar convenido", drawer)).toHaveValue("Laredo, TX");
  await button("Guardar", drawer).click();
  await says(section, "14 de 14 piezas empacadas");
  await says(section, "neto 1.833 kg, bruto 2.15 kg");
  await says(section, "FCA Laredo, TX");
  expect(sent("PUT /api/deliveries/7/export")).toMatchObject([
    { incoterm: "FCA", place: "Laredo, TX", boxes: [{ netKg: 1.5 }, { netKg: 0.333 }] },
  ]);
  await button("Lista de empaque", section).click();
  await button("Factura comercial", section).click();
  await expect
    .poll(() => sent("POST /pdf/create-export"))
    .toMatchObject([{ paper: "packing-list" }, { paper: "commercial-invoice" }]);
});
