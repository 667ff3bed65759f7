/** Catalogs as a person uses them: add, find, change, refuse and delete; and what all of them share. */
import type { Page } from "@playwright/test";
import { expect, expectSaved, test, unique } from "./fixtures";

interface Journey {
  path: string;
  api: string;
  add: string;
  /** The field that names its records, and a text for it. */
  name: { label: string; text: () => string };
  /** Another field, with its first and its second text. */
  other?: { label: string; first: string; second: string };
  /** The smallest body that its API accepts. */
  body: (name: string) => object;
  /** The name of that field in the API. */
  field: string;
}

const named = (name: string) => ({ name });
const word = (start: string) => () => `${start} ${unique()}`;

/** One with a name only, and one with more. The others differ in their forms only. */
const CATALOGS: Journey[] = [
  {
    path: "components",
    api: "components",
    add: "Nuevo componente",
    name: { label: "Nombre", text: word("Componente") },
    body: named,
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
    // The form names required fields before it sends anything.
    await adding.getByRole("button", { name: "Guardar" }).click();
    await expect(adding.getByText("Este dato es obligatorio").first()).toBeVisible();
    await adding.getByLabel(name.label, { exact: true }).fill(called);
    if (other) await adding.getByLabel(other.label, { exact: true }).fill(other.first);
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith(`/api/${list}`)) sent += 1;
    });
    if (other) {
      await adding.getByRole("button", { name: "Guardar" }).dblclick();
    } else {
      // Enter sends a short form, and the focus returns to the button that opened it.
      await adding.getByLabel(name.label, { exact: true }).press("Enter");
      await expect(page.getByRole("button", { name: add }).first()).toBeFocused();
    }
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

    // A name that is taken is refused beside the field.
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

    // Closing with unsaved input asks first, and so does deleting.
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

test("a long catalog is paged, sorted and filtered by the server, and all catalogs are one download", async ({
  pageOf,
}) => {
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
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Todos los catálogos" }).click();
  expect((await coming).suggestedFilename()).toBe("catalogs.xlsx");
});

test("a person sees what another one changed, and may still save their own input", async ({
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
    await expect(each.getByText("En vivo", { exact: true })).toBeVisible();
    // oxlint-enable no-await-in-loop
  }
  // A person who may not edit can still open the record.
  await watching.getByRole("link", { name: called }).click();
  const looking = watching.getByRole("dialog", { name: called });
  await expect(looking.getByLabel("Nombre", { exact: true })).toBeDisabled();
  await expect(looking.getByRole("button", { name: "Guardar" })).toHaveCount(0);
  await expect(looking.getByRole("button", { name: "Eliminar" })).toHaveCount(0);
  await expect(watching.getByRole("button", { name: "Nuevo material" })).toHaveCount(0);
  await looking.getByRole("button", { name: "Cerrar" }).last().click();
  await expect(looking).toBeHidden();

  await page.getByRole("link", { name: called }).click();
  const editing = page.getByRole("dialog", { name: called });
  await editing.getByLabel("Descripción", { exact: true }).fill("Lo mío");
  await api.call("PUT", `/api/materials/${material.id}`, { description: "Lo de otra persona" });
  await expect(watching.getByText("Lo de otra persona")).toBeVisible();
  await editing.getByRole("button", { name: "Guardar" }).click();
  await expect(editing.getByRole("alert").filter({ hasText: "Descripción" })).toContainText(
    "Lo de otra persona",
  );
  await expect(editing.getByLabel("Descripción", { exact: true })).toHaveValue("Lo mío");
  await editing.getByRole("button", { name: "Guardar de todos modos" }).click();
  await expectSaved(page);
  await expect(watching.getByText("Lo mío")).toBeVisible();
});
