import { expect, it } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import { CATALOGS } from "@/contract";
import { catalogPath } from "@/shared/catalogPaths";
import type { CatalogName } from "@/shared/http/keys";
import { open, showApp } from "@/testing/app";
import { choose } from "@/testing/choose";
import type { Answers, Asked } from "@/testing/pages";

const HELD = Object.values(CATALOGS).flatMap(({ Create, Update, reads }) =>
  reads === null ? [Create, Update] : [Create, Update, reads],
);
const term = (code: string, name: string) => ({ code, nameEs: name, nameEn: name });
const named =
  (...names: string[]) =>
  ({ query: { search = "" } }: Asked) =>
    names
      .map((name, place) => ({ id: place + 1, name }))
      .filter(({ name }) => name.includes(search));
const ANSWERS = {
  "GET /api/catalogs": [
    { key: "countries", entries: [term("MX", "México"), term("ES", "España")] },
    { key: "callingCodes", entries: [term("+52", "México"), term("+34", "España")] },
    { key: "satUnits", entries: [term("H87", "Pieza"), term("GRM", "Gramo")] },
  ],
  "GET /api/components": named("Broche", "Cadena"),
  "GET /api/materials": named("Oro"),
  "POST /api/components": { id: 11, name: "Bisel", version: 1 },
  "POST /api/materials": { id: 12, name: "Latón", version: 1 },
  // The server searches the tariff item by its description.
  "GET /api/export-tax-items": ({ query }: Asked) =>
    query["search"] === "Joyas"
      ? [{ id: 9, code: "71131199", spanishDescription: "Joyas", englishDescription: "" }]
      : [],
  "GET /api/production-processes": ({ query }: Asked) =>
    query["ordering"] === "-order" ? [{ id: 1, order: 41 }] : [],
};

/** A list that starts empty and keeps what is posted. */
function stored(name: CatalogName): Answers {
  const rows: object[] = [];
  return {
    [`GET /api/${name}`]: rows,
    [`POST /api/${name}`]: ({ body }: Asked) => {
      const row = { currency: "MXN", ...(body as object), id: 7, version: 1 };
      rows.push(row);
      return row;
    },
  };
}

const pathOf = (name: CatalogName) => `${catalogPath(name)}?record=new`;

/** Show the form of a new record, with a function that returns what was posted. */
async function show(name: CatalogName, answers: Answers = {}) {
  const asked = await showApp({
    at: pathOf(name),
    permissions: HELD,
    answers: { ...ANSWERS, ...answers },
  });
  const posted = (path: string = name) =>
    asked
      .filter((one) => one.method === "POST" && one.path === `/api/${path}`)
      .map(({ body }) => body);
  return { posted };
}
const form = page.getByRole("dialog").first();
const field = (within: Locator, name: string) => within.getByLabelText(name, { exact: true });
const save = () => form.getByRole("button", { name: "Guardar" }).click();
const press = (name: string) => form.getByRole("button", { name, exact: true }).click();
const group = (name: string) => form.getByRole("group", { name, exact: true });

it("each catalog names what is missing in its form, sends what was typed, and lists and opens it", async () => {
  const { posted } = await show("customers", {
    ...stored("customers"),
    ...stored("export-tax-items"),
    ...stored("companies"),
    ...stored("materials"),
    ...stored("production-processes"),
  });
  for (const [name, first, other, sent] of [
    [
      "customers",
      ["Nombre", "Casa"],
      ["RFC", "XAXX010101000"],
      { name: "Casa", taxId: "XAXX010101000" },
    ],
    [
      "export-tax-items",
      ["Código", "71131199"],
      ["Descripción en español", "De plata, «fina»"],
      { code: "71131199", spanishDescription: "De plata, «fina»" },
    ],
    [
      "companies",
      ["Nombre", "Taller"],
      ["Razón social", "Uno S.A."],
      { name: "Taller", legalName: "Uno S.A." },
    ],
    [
      "materials",
      ["Nombre", "Plata"],
      ["Descripción", "Ley 925"],
      { name: "Plata", description: "Ley 925" },
    ],
    [
      "production-processes",
      ["Nombre", "Vaciado"],
      ["Precio por pieza", "3.5"],
      { name: "Vaciado", price: 3.5 },
    ],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one catalog after the other
    await open(pathOf(name));
    await expect.element(field(form, first[0])).toHaveValue("");
    await save();
    await expect.element(form.getByText("Este dato es obligatorio")).toBeVisible();
    expect(posted(name)).toEqual([]);
    for (const [label, text] of [first, other]) await field(form, label).fill(text);
    await save();
    await expect.poll(() => posted(name)).toEqual([expect.objectContaining(sent)]);
    await page.getByRole("main").getByRole("link", { name: first[1] }).click();
    await expect.element(page.getByRole("dialog", { name: first[1] })).toBeVisible();
    await expect.element(field(form, other[0])).toHaveValue(other[1]);
    // oxlint-enable no-await-in-loop
  }
});

it("a customer is saved with addresses, telephones and e-mails", async () => {
  const { posted } = await show("customers");
  await field(form, "Nombre").fill("Casa");
  await press("Agregar domicilio");
  await field(group("Domicilio 1"), "Calle").fill("Calle de la Plata");
  await choose(field(group("Domicilio 1"), "País"), "México");
  await press("Agregar domicilio");
  await field(group("Domicilio 2"), "Calle").fill("Muelle 7");
  await press("Agregar teléfono");
  const phone = group("Teléfono 1");
  await choose(field(phone, "Código de país"), "+34");
  await field(phone, "Número").fill("91 555-0100x");
  await field(phone, "Extensión").fill("12");
  await press("Agregar correo");
  await field(form, "Correo 1").fill("compras@cliente.test");
  await press("Agregar correo");
  await field(form, "Correo 2").fill("nadie");
  await save();
  await expect
    .element(form.getByText("Solo dígitos, espacios, guiones y paréntesis"))
    .toBeVisible();
  await expect.element(form.getByText("Correo no válido")).toBeVisible();
  expect(posted()).toEqual([]);
  await field(phone, "Número").fill("91 555-0100");
  await press("Quitar Correo 2");
  await save();
  // The second address is for shipping.
  await expect
    .poll(() => posted())
    .toMatchObject([
      {
        addresses: [
          { kind: "Commercial", street: "Calle de la Plata", country: "MX" },
          { kind: "Shipping", street: "Muelle 7" },
        ],
        phones: [{ countryCode: "+34", number: "91 555-0100", extension: "12" }],
        emails: ["compras@cliente.test"],
      },
    ]);
  await expect.element(form).not.toBeInTheDocument();
});

it("a product is saved with its tariff item, its unit and its component rows in order", async () => {
  const { posted } = await show("items");
  for (const [name, text] of [
    ["Clave", "K-1"],
    ["Nombre", "Collar"],
    ["Impuesto (%)", "16"],
    ["Precio de venta", "1250.75"],
    ["Prioridad", "12"],
    ["Medidas", "45 cm"],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one field after the other
    await field(form, name).fill(text);
  }
  // What most products do without is folded, and a new record has no status to choose.
  await expect.element(field(form, "Fracción arancelaria")).not.toBeVisible();
  await expect.element(field(form, "Aleación")).not.toBeVisible();
  await expect.element(form.getByRole("switch", { name: "Activo" })).not.toBeInTheDocument();
  await form.getByText("Exportación y SAT").click();
  await choose(field(form, "Fracción arancelaria"), "Joyas");
  await choose(field(form, "Unidad SAT"), "H87");
  await form.getByRole("switch", { name: "Antigüedad" }).click();
  for (const [place, name] of ["Broche", "Cadena"].entries()) {
    // oxlint-disable no-await-in-loop -- one row after the other
    await press("Agregar componente");
    await choose(field(group(`Componente ${place + 1}`), "Componente"), name);
    // oxlint-enable no-await-in-loop
  }
  await choose(field(group("Componente 2"), "Material"), "Oro");
  await field(group("Componente 2"), "Notas").fill("Eslabón fino");
  await press("Subir Componente 2");
  await expect.element(form.getByText("Debe ser 9 o menos")).toBeVisible();
  await expect.element(form.getByRole("button", { name: "Guardar" })).toBeDisabled();
  await field(form, "Prioridad").fill("3");
  await save();
  await expect
    .poll(() => posted())
    .toMatchObject([
      {
        taxItemKey: "71131199",
        satUnitMeasurement: "H87",
        taxAmount: 16,
        sellPrice: 1250.75,
        priority: 3,
        antique: true,
        measures: "45 cm",
        components: [
          { componentId: 2, materialId: 1, notes: "Eslabón fino" },
          { componentId: 1, materialId: null },
        ],
      },
    ]);
  await expect.element(form).not.toBeInTheDocument();
});

it("a component and a material that a product misses are created and chosen by keys", async () => {
  const { posted } = await show("items");
  await field(form, "Clave").fill("K-1");
  await field(form, "Nombre").fill("Dije");
  await press("Agregar componente");
  const row = group("Componente 1");
  await expect.element(field(row, "Componente")).toHaveFocus();
  await expect.element(row).toBeInViewport();
  for (const [label, kind, name, path] of [
    ["Componente", "componente", "Bisel", "components"],
    ["Material", "material", "Latón", "materials"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one after the other
    await field(row, label).fill(name);
    await expect.element(page.getByText(`Crear «${name}»`)).toBeVisible();
    await userEvent.keyboard("{Enter}");
    const small = page.getByRole("dialog", { name: `Nuevo ${kind}` });
    await expect.element(field(small, "Nombre")).toHaveValue(name);
    // A key that is pressed while the drawer slides in goes to the field behind it.
    await expect.element(field(small, "Nombre")).toHaveFocus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await expect.element(small).not.toBeInTheDocument();
    await expect.element(row.getByTitle(name)).toBeVisible();
    expect(posted(path)).toEqual([expect.objectContaining({ name })]);
    // oxlint-enable no-await-in-loop
  }
  await save();
  await expect
    .poll(() => posted())
    .toMatchObject([{ components: [{ componentId: 11, materialId: 12 }] }]);
  await expect.element(form).not.toBeInTheDocument();
});

it("a new process is offered the last place, which the server gives it", async () => {
  const { posted } = await show("production-processes");
  await expect.element(field(form, "Lugar")).toHaveValue("42");
  await field(form, "Nombre").fill("Pulido");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(() => posted()).toEqual([expect.objectContaining({ name: "Pulido" })]);
  expect(posted()[0]).not.toHaveProperty("order");
  await expect.element(form).not.toBeInTheDocument();
});
