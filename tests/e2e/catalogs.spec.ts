/** Every catalog as a person uses it: add, find, change, refuse, delete; and what all of them share. Issue, "Shown by" 1. */
import type { Page } from "@playwright/test";
import { expect, expectSaved, SIZES, test, unique, type Api } from "./fixtures";

interface Journey {
  path: string;
  api: string;
  add: string;
  /** What its records are called by, and what is typed there. */
  name: { label: string; text: () => string };
  /** Another field, its first text and its second. */
  other?: { label: string; first: string; second: string };
  /** The least its API takes. */
  body: (name: string) => object;
  /** The field's column in the table is shown. */
  field: string;
}

const named = (name: string) => ({ name });
const word = (start: string) => () => `${start} ${unique()}`;

const CATALOGS: Journey[] = [
  {
    path: "customers",
    api: "customers",
    add: "Nuevo cliente",
    name: { label: "Nombre", text: word("Casa") },
    other: { label: "RFC", first: "XAXX010101000", second: "XEXX010101000" },
    body: named,
    field: "name",
  },
  {
    path: "components",
    api: "components",
    add: "Nuevo componente",
    name: { label: "Nombre", text: word("Componente") },
    body: named,
    field: "name",
  },
  {
    path: "export-tax-items",
    api: "export-tax-items",
    add: "Nueva fracción",
    name: { label: "Código", text: () => `0${unique().slice(-9)}` },
    other: { label: "Descripción en español", first: "De plata, «fina»", second: "De oro" },
    body: (code) => ({ code }),
    field: "code",
  },
  {
    path: "companies",
    api: "companies",
    add: "Nueva empresa",
    name: { label: "Nombre", text: word("Empresa") },
    other: { label: "Razón social", first: "Uno S.A.", second: "Dos S.A. de C.V." },
    body: named,
    field: "name",
  },
  {
    path: "materials",
    api: "materials",
    add: "Nuevo material",
    name: { label: "Nombre", text: word("Material") },
    other: { label: "Descripción", first: "Primera", second: "Segunda" },
    body: named,
    field: "name",
  },
  {
    path: "production-process",
    api: "production-processes",
    add: "Nuevo proceso",
    name: { label: "Nombre", text: word("Proceso") },
    other: { label: "Precio por pieza", first: "3.5", second: "4.25" },
    body: (name) => ({ name, order: 900 }),
    field: "name",
  },
  {
    path: "products",
    api: "items",
    add: "Nuevo producto",
    name: { label: "Clave", text: word("P") },
    other: { label: "Nombre", first: word("Anillo")(), second: word("Arete")() },
    body: (key) => ({ key, name: `${key} de otra persona` }),
    field: "key",
  },
];

async function find(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox").fill(text);
  await expect(page).toHaveURL(new RegExp(`search=`));
}

for (const { path, api: list, add, name, other, body, field } of CATALOGS) {
  test(`${path}: add, find, change, refuse and delete`, async ({ apiOf, pageOf }) => {
    test.slow();
    const api = await apiOf("admin");
    const page = await pageOf("admin");
    const called = name.text();
    await page.goto(`/#/catalogs/${path}`);
    await page.getByRole("button", { name: add }).first().click();
    const adding = page.getByRole("dialog", { name: add });
    // What is required is said beside the field, before anything is sent.
    await adding.getByRole("button", { name: "Guardar" }).click();
    await expect(adding.getByText("Este dato es obligatorio").first()).toBeVisible();
    await adding.getByLabel(name.label, { exact: true }).fill(called);
    if (other) await adding.getByLabel(other.label, { exact: true }).fill(other.first);
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith(`/api/${list}`)) sent += 1;
    });
    await adding.getByRole("button", { name: "Guardar" }).dblclick();
    await expectSaved(page);
    await expect(adding).toBeHidden();
    expect(sent).toBe(1);

    await find(page, called);
    const link = page.getByRole("main").getByRole("link", { name: called });
    await link.click();
    const editing = page.getByRole("dialog", { name: new RegExp(called) });
    if (other) {
      await editing.getByLabel(other.label, { exact: true }).fill(other.second);
    } else {
      await editing.getByRole("switch", { name: "Activo" }).click();
    }
    await editing.getByRole("button", { name: "Guardar" }).click();
    await expect(editing).toBeHidden();
    const [now] = await api.call<Record<string, unknown>[]>(
      "GET",
      `/api/${list}?search=${encodeURIComponent(called)}`,
    );
    expect(now?.[field]).toBe(called);
    if (other) expect(Object.values(now ?? {}).map(String)).toContain(other.second);
    else expect(now?.["status"]).toBe(false);

    // Another one of the same name is refused, beside the field.
    const taken = name.text();
    await api.call("POST", `/api/${list}`, body(taken));
    await link.click();
    await editing.getByLabel(name.label, { exact: true }).fill(taken);
    await editing.getByRole("button", { name: "Guardar" }).click();
    await expect(
      editing.locator(".ant-form-item").filter({
        has: page.getByLabel(name.label, { exact: true }),
      }),
    ).toContainText("Ya existe");
    await editing.getByLabel(name.label, { exact: true }).fill(called);

    // What was typed is not lost without a question; deleting asks too.
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "Hay cambios sin guardar" });
    await expect(question.getByRole("button", { name: "Seguir aquí" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(question).toBeHidden();
    await expect(editing.getByLabel(name.label, { exact: true })).toHaveValue(called);
    await editing.getByRole("button", { name: "Cancelar" }).click();
    await question.getByRole("button", { name: "Salir sin guardar" }).click();
    await expect(editing).toBeHidden();
    await link.click();
    await editing.getByRole("button", { name: "Eliminar" }).click();
    const deleting = page.getByRole("dialog", { name: "Confirmar eliminación" });
    await deleting.getByRole("button", { name: "Eliminar" }).click();
    await expect(page.getByText("Eliminado correctamente")).toBeVisible();
    await expect(page.getByText("Nada coincide con la búsqueda")).toBeVisible();
  });
}

test("a long catalog comes page by page, sorted and filtered by the server", async ({ pageOf }) => {
  const page = await pageOf("sales");
  await page.goto("/#/catalogs/products");
  const rows = page.locator("tbody tr.ant-table-row");
  await expect(rows).toHaveCount(25);
  await page.getByRole("button", { name: "Mostrar más" }).click();
  await expect(rows.nth(25)).toBeVisible();
  const key = page.getByRole("columnheader", { name: "Clave" });
  await key.click();
  await expect(key).toHaveAttribute("aria-sort", "ascending");
  await key.click();
  await expect(page).toHaveURL(/ordering=-key/);
  await expect(page.locator("tbody tr.ant-table-row .ob-catalog__name").first()).not.toHaveText(
    /^AC-/,
  );
  await page.getByRole("searchbox").fill("Pluma de quetzal");
  await expect(rows.first()).toContainText("Pluma de quetzal");
  await expect(page.getByRole("searchbox")).toHaveValue("Pluma de quetzal");
  await page.getByRole("button", { name: "Quitar filtros" }).click();
  await expect(rows).toHaveCount(25);
});

test("what one person changes another sees, and may still save what he typed", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const api = await apiOf("admin");
  const called = `Material ${unique()}`;
  const material = await api.call<{ id: number }>("POST", "/api/materials", { name: called });
  const page = await pageOf("admin");
  const watching = await pageOf("boss");
  for (const each of [page, watching]) {
    // oxlint-disable no-await-in-loop -- one browser after the other
    await each.goto(`/#/catalogs/materials?search=${encodeURIComponent(called)}`);
    await expect(each.getByRole("link", { name: called })).toBeVisible();
    await expect(each.getByText("En vivo")).toBeVisible();
    // oxlint-enable no-await-in-loop
  }
  // Who may not change it may still look.
  await watching.getByRole("link", { name: called }).click();
  const looking = watching.getByRole("dialog", { name: called });
  await expect(looking.getByLabel("Nombre")).toBeDisabled();
  await expect(looking.getByRole("button", { name: "Guardar" })).toHaveCount(0);
  await expect(looking.getByRole("button", { name: "Eliminar" })).toHaveCount(0);
  await expect(watching.getByRole("button", { name: "Nuevo material" })).toHaveCount(0);
  await looking.getByRole("button", { name: "Cerrar" }).last().click();
  await expect(looking).toBeHidden();

  await page.getByRole("link", { name: called }).click();
  const editing = page.getByRole("dialog", { name: called });
  await editing.getByLabel("Descripción").fill("Lo mío");
  await api.call("PUT", `/api/materials/${material.id}`, { description: "Lo de otra persona" });
  await expect(watching.getByText("Lo de otra persona")).toBeVisible();
  await editing.getByRole("button", { name: "Guardar" }).click();
  await expect(editing.getByRole("alert").filter({ hasText: "Descripción" })).toContainText(
    "Lo de otra persona",
  );
  await expect(editing.getByLabel("Descripción")).toHaveValue("Lo mío");
  await editing.getByRole("button", { name: "Guardar de todos modos" }).click();
  await expectSaved(page);
  await expect(watching.getByText("Lo mío")).toBeVisible();
});

async function usedComponent(api: Api): Promise<string> {
  const name = `Usado ${unique()}`;
  const component = await api.call<{ id: number }>("POST", "/api/components", { name });
  const key = `P ${unique()}`;
  await api.call("POST", "/api/items", {
    key,
    name: key,
    components: [{ componentId: component.id }],
  });
  return name;
}

test("what is in use is not deleted but can be made inactive", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const called = await usedComponent(api);
  const page = await pageOf("admin");
  await page.goto(`/#/catalogs/components?search=${encodeURIComponent(called)}`);
  await page.getByRole("link", { name: called }).click();
  await page
    .getByRole("dialog", { name: called })
    .getByRole("button", { name: "Eliminar" })
    .click();
  const deleting = page.getByRole("dialog", { name: "Confirmar eliminación" });
  await deleting.getByRole("button", { name: "Eliminar" }).click();
  const refused = page.getByRole("dialog", { name: "No se pudo eliminar" });
  await expect(refused.getByRole("alert")).toContainText("componentes de productos (1)");
  await refused.getByRole("button", { name: "Desactivar" }).click();
  await expectSaved(page);
  await expect(page.locator("tbody").getByText("Inactivo")).toBeVisible();
});

test("the catalogs can be downloaded as a workbook", async ({ pageOf }) => {
  const page = await pageOf("sales");
  await page.goto("/#/catalogs/customers");
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Todos los catálogos" }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe("catalogs.xlsx");
});

test("a record is added on a phone by keyboard alone", async ({ apiOf, pageOf }) => {
  const page = await pageOf("admin", { size: "phone", language: "en" });
  expect(page.viewportSize()).toEqual(SIZES.phone);
  const called = `Component ${unique()}`;
  await page.goto("/#/catalogs/components");
  const add = page.getByRole("button", { name: "New component" });
  await add.focus();
  await page.keyboard.press("Enter");
  const adding = page.getByRole("dialog", { name: "New component" });
  await expect(adding).toBeVisible();
  await adding.getByLabel("Name").focus();
  await page.keyboard.type(called);
  await page.keyboard.press("Tab");
  await expect(adding.getByRole("switch", { name: "Active" })).toBeFocused();
  await page.keyboard.press("Space");
  await adding.getByLabel("Name").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved successfully")).toBeVisible();
  await expect(add).toBeFocused();
  const found = await (
    await apiOf("admin")
  ).call<{ status: boolean }[]>("GET", `/api/components?search=${encodeURIComponent(called)}`);
  expect(found).toMatchObject([{ status: false }]);
});
