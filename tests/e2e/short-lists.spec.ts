/** The short lists as a person edits them, and what forms then offer. */
import { choose, expect, expectSaved, test, unique } from "./fixtures";

test("each short list has its own rows, and forms offer an added row until it is made inactive", async ({
  pageOf,
  apiOf,
}) => {
  const page = await pageOf("admin");
  const name = `Consignación ${unique()}`;
  const key = `c${unique()}`;
  await page.goto("/#/catalogs/lists");
  await page.getByRole("button", { name: "Nuevo tipo" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Clave").fill(key);
  await form.getByLabel("Nombre en español").fill(name);
  await form.getByLabel("Nombre en inglés").fill("Consignment");
  await form.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  await expect(page.getByRole("link", { name })).toBeVisible();
  for (const [list, row] of [
    ["Secciones fiscales", "General de Ley Personas Morales"],
    ["Motivos de liberación", "Porosidad"],
    ["Motivos de baja", "Pieza rota"],
  ] as const) {
    // oxlint-disable no-await-in-loop
    await page.getByRole("radiogroup", { name: "Listas" }).getByText(list).click();
    await expect(page.getByRole("heading", { name: list })).toBeVisible();
    await expect(page.getByRole("link", { name: row })).toBeVisible();
    // oxlint-enable no-await-in-loop
  }

  await page.goto("/#/catalogs/customers?record=new");
  await choose(page, page.getByRole("dialog").getByLabel("Tipo", { exact: true }), name);

  const api = await apiOf("admin");
  const rows = await api.call<{ id: number }[]>("GET", `/api/customer-types?search=${key}`);
  await api.call("PUT", `/api/customer-types/${rows[0]?.id}`, { active: false });
  const other = await pageOf("admin");
  await other.goto("/#/catalogs/customers?record=new");
  const type = other.getByRole("dialog").getByLabel("Tipo", { exact: true });
  await type.click();
  await expect(other.locator(".ant-select-item-option", { hasText: "Mayorista" })).toBeVisible();
  await type.fill(name);
  await expect(other.locator(".ant-select-item-option", { hasText: name })).toHaveCount(0);
});
