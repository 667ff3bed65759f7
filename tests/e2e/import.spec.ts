/** Importing a file into a catalog: previewed row by row, applied at once, its texts kept exactly. */
import { readFile } from "node:fs/promises";
import type { Company, Item, Material } from "@/contract";
import { expect, test, unique } from "./fixtures";

const csv = (rows: string[][]) =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\r\n");

test(
  "a file of materials shows new, changed, unchanged and refused rows, and applies the first two",
  { tag: "@servers" },
  async ({ apiOf, pageOf }) => {
    test.slow();
    const api = await apiOf("admin");
    const mark = unique();
    const [fresh, other, same] = [`Nuevo ${mark}`, `Otro ${mark}`, `Igual ${mark}`];
    const text = `007, con comas; "comillas", ñ y =SUM(A1)`;
    await api.call("POST", "/api/materials", { name: other, description: "Antes" });
    await api.call("POST", "/api/materials", { name: same, description: "Sigue" });
    const page = await pageOf("admin");
    await page.goto("/#/catalogs/materials");
    await page.getByRole("button", { name: "Importar" }).click();
    await expect(page).toHaveURL(/#\/catalogs\/materials\/import$/);
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Plantilla CSV" }).click();
    expect((await coming).suggestedFilename()).toBe("materials.csv");

    const file = page.locator("input[type=file]");
    await file.setInputFiles({
      name: "x.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(""),
    });
    await expect(page.getByRole("alert")).toContainText("Solo se aceptan archivos XLSX y CSV");
    await file.setInputFiles({
      name: "materiales ñ.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        csv([
          ["name", "description"],
          [fresh, text],
          [other, "Después"],
          [same, "Sigue"],
          ["", "Sin nombre"],
        ]),
      ),
    });
    const dialog = page.getByRole("dialog", { name: "materiales ñ.csv" });
    const rows = dialog.locator("tbody tr.ant-table-row");
    await expect(rows).toHaveCount(1);
    await expect(rows.nth(0)).toContainText("Nombre: El campo es obligatorio");
    await page.getByRole("button", { name: "Todas 4" }).click();
    await expect(rows).toHaveCount(4);
    await expect(rows.nth(0)).toContainText("Nueva");
    await expect(rows.nth(0)).toContainText(text);
    await expect(rows.nth(1)).toContainText("Antes → Después");
    await expect(rows.nth(2)).toContainText("Igual");
    await expect(rows.nth(3)).toContainText("Nombre: El campo es obligatorio");
    await page.getByRole("button", { name: "Rechazadas 1" }).click();
    await expect(rows).toHaveCount(1);
    await page.getByRole("button", { name: "Todas 4" }).click();
    await expect(rows).toHaveCount(4);

    // If a record changes after the preview, nothing is applied until the preview is renewed.
    const [record] = await api.call<Material[]>(
      "GET",
      `/api/materials?search=${encodeURIComponent(other)}`,
    );
    await api.call("PUT", `/api/materials/${record?.id}`, { description: "Entretanto" });
    await page.getByRole("button", { name: "Aplicar 2 cambios" }).click();
    await expect(page.getByRole("alert")).toContainText("cambiaron desde la vista previa");
    await page.getByRole("button", { name: "Generar la vista previa de nuevo" }).click();
    await expect(page.getByText("cambiaron desde la vista previa")).toHaveCount(0);
    await page.getByRole("button", { name: "Todas 4" }).click();
    await expect(rows.nth(1)).toContainText("Entretanto → Después");
    // A reload shows the same preview.
    await page.reload();
    await page.getByRole("button", { name: "Todas 4" }).click();
    await expect(rows.nth(1)).toContainText("Entretanto → Después");
    await page.getByRole("button", { name: "Aplicar 2 cambios" }).click();
    await expect(
      page.getByRole("status").filter({ hasText: "Importación aplicada" }),
    ).toBeVisible();
    await page.getByRole("button", { name: "Ver Materiales" }).click();
    await page.getByRole("searchbox").fill(mark);
    await expect(page.getByRole("link", { name: fresh })).toBeVisible();
    const found = await api.call<Material[]>("GET", `/api/materials?search=${mark}`);
    expect(Object.fromEntries(found.map(({ name, description }) => [name, description]))).toEqual({
      [fresh]: text,
      [other]: "Después",
      [same]: "Sigue",
    });
  },
);

test("a Spanish template is filled in and imported, and refused cells are named in Spanish", async ({
  apiOf,
  pageOf,
}) => {
  const page = await pageOf("admin");
  const name = `Platería ${unique()}`;
  await page.goto("/#/catalogs/companies");
  await page.getByRole("button", { name: "Importar" }).click();
  await expect(page.getByRole("heading", { name: "Importar: Empresas" })).toBeVisible();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Plantilla CSV" }).click();
  const heads = (await readFile(await (await coming).path(), "utf8")).trimEnd();
  expect(heads.replace("\ufeff", "")).toBe(
    "Nombre,Razón social,RFC,Correo,Teléfono,Domicilio comercial,Activo,Quién certifica el origen,Cargo de quien certifica,Certifica como,Régimen fiscal",
  );
  const filled = csv([
    [
      name,
      `${name}, S.A.`,
      "",
      "",
      "",
      "Av. Juárez | 12 | | Centro | Taxco | Gro | 40200 | MX",
      "Sí",
    ],
    [`${name} 2`, "", "", "", "", "Calle | 1", "quizá"],
  ]);
  await page.locator("input[type=file]").setInputFiles({
    name: "empresas.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`${heads}\r\n${filled}`),
  });
  const rows = page.locator("tbody tr.ant-table-row");
  await expect(rows.nth(0)).toContainText("Activo: «quizá» no es Sí ni No");
  await page.getByRole("button", { name: "Todas 2" }).click();
  await expect(rows.nth(0)).toContainText("Domicilio comercial: Av. Juárez | 12");
  await expect(rows.nth(0)).toContainText("Activo: Sí");
  await page.getByRole("button", { name: "Aplicar 1 cambio" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Importación aplicada" })).toBeVisible();
  const api = await apiOf("admin");
  const found = await api.call<Company[]>(
    "GET",
    `/api/companies?search=${encodeURIComponent(name)}`,
  );
  expect(
    found.map(({ legalName, commercialAddress }) => [legalName, commercialAddress?.city]),
  ).toEqual([[`${name}, S.A.`, "Taxco"]]);
});

test("an owner's list is mapped by one click, mended in place, and what stays refused is downloaded", async ({
  apiOf,
  pageOf,
}) => {
  const page = await pageOf("admin");
  const mark = unique();
  await page.goto("/#/catalogs/products/import");
  await page.locator("input[type=file]").setInputFiles({
    name: "lista.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      csv([
        ["Código", "Artículo", "Precio", "Proveedor"],
        [`A${mark}`, `Anillo ${mark}`, "$1,250.50", "Taxco"],
        [`B${mark}`, `Aro ${mark}`, "doce", "Taxco"],
        [`C${mark}`, `Dije ${mark}`, "1,250", "Iguala"],
      ]),
    ),
  });
  const dialog = page.getByRole("dialog", { name: "lista.csv" });
  await expect(dialog.getByText("No se usan: Proveedor.")).toBeVisible();
  const confirmed = dialog.getByRole("button", { name: "Las columnas están bien" });
  await confirmed.click();
  await expect(confirmed).toHaveCount(0);
  const rows = dialog.locator("tbody tr.ant-table-row");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText("Precio de venta: «doce» no es un número");
  const field = dialog.getByRole("textbox", { name: "Precio de venta, fila 3" });
  await field.fill("12");
  await field.press("Enter");
  await expect(rows.nth(0)).toContainText("Precio de venta: corregida");
  await expect(field).toBeFocused();
  await dialog.getByRole("button", { name: "Aplicar 2 cambios" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Importación aplicada" })).toBeVisible();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Descargar 1 fila por corregir" }).click();
  const [heads, refused] = (await readFile(await (await coming).path(), "utf8")).split("\r\n");
  expect(heads?.replace("\ufeff", "")).toBe("Código,Artículo,Precio,Proveedor,Motivos");
  expect(refused).toContain(`C${mark},Dije ${mark},"1,250",Iguala,`);
  const api = await apiOf("admin");
  const found = await api.call<Item[]>("GET", `/api/items?search=${mark}&ordering=key`);
  expect(found.map(({ sellPrice }) => sellPrice)).toEqual([1250.5, 12]);
});

test("doubts in a file are answered before it is applied, an upload can be discarded, and importing needs permission", async ({
  apiOf,
  pageOf,
}) => {
  const page = await pageOf("admin");
  const mark = unique();
  await page.goto("/#/catalogs/materials/import");
  // "Latón" in the encoding of an old Mac.
  const text = Buffer.from(
    `name,description\rLat\u0097n ${mark},x\r\rTOTAL ${mark.length},\r`,
    "latin1",
  );
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "mac.csv", mimeType: "text/csv", buffer: text });
  const rows = page.locator("tbody tr.ant-table-row");
  await expect(rows.nth(0)).toContainText("Por decidir");
  await expect(rows.nth(1)).toContainText("Parece pie o total");
  await expect(page.getByRole("button", { name: /^Aplicar/ })).toBeDisabled();
  await page.getByRole("button", { name: "Se leen bien" }).click();
  await expect(rows.nth(0)).toContainText(`Latón ${mark}`);
  await page.getByRole("button", { name: "Aplicar 1 cambio" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Importación aplicada" })).toBeVisible();
  const api = await apiOf("admin");
  const found = await api.call<Material[]>("GET", `/api/materials?search=${mark}`);
  expect(found.map(({ name }) => name)).toEqual([`Latón ${mark}`]);

  await page.goto("/#/catalogs/components/import");
  const called = `Tornillo ${unique()}`;
  await page.locator("input[type=file]").setInputFiles({
    name: "c.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(csv([["name"], [called]])),
  });
  await expect(page.getByRole("button", { name: "Aplicar 1 cambio" })).toBeEnabled();
  await page.getByRole("dialog").getByRole("button", { name: "Descartar" }).click();
  await expect(page.getByRole("button", { name: "Elegir archivo" })).toBeVisible();
  await page.getByRole("button", { name: "Volver a la lista" }).click();
  await expect(page.getByRole("heading", { name: "Componentes" })).toBeVisible();
  await page.getByRole("searchbox").fill(called);
  await expect(page.getByText("Nada coincide con la búsqueda")).toBeVisible();

  const other = await pageOf("boss");
  await other.goto("/#/catalogs/components");
  await expect(other.getByRole("heading", { name: "Componentes" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Importar" })).toHaveCount(0);
  await other.goto("/#/catalogs/components/import");
  await expect(other).not.toHaveURL(/import/);
});
