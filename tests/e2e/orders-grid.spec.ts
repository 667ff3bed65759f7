/** An order is read from a customer's file. */
import type { Page } from "@playwright/test";
import type { Item } from "@/contract";
import { cell, choose, expect, expectSaved, savedOrder, test, unique, type Api } from "./fixtures";

const NEW = "/#/operations/sales-orders/new";
/** Products of the demo data. Other journeys create products with keys too long to type. */
async function products(api: Api, count: number): Promise<Item[]> {
  const items = await api.call<Item[]>("GET", "/api/items?status=true&limit=100");
  return items.filter(({ key }) => /^[A-Z]{2}-\d{3}$/.test(key)).slice(0, count);
}

const sheet = (page: Page) => page.getByRole("dialog", { name: "Filas de la hoja" });
const save = (page: Page) => page.getByRole("button", { name: "Guardar orden" }).click();

test("a customer's file opens the same preview, and a line has the order's delivery date or its own", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const [first] = await products(api, 1);
  const page = await pageOf("sales");
  await page.goto(NEW);
  const po = `E2E-${unique()}`;
  await choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }));
  await page.getByRole("textbox", { name: "PO#" }).fill(po);
  const file = (name: string, text: string) => ({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  });
  const input = page.locator('input[type="file"]');
  await input.setInputFiles(file("pedido.pdf", "nada"));
  await expect(page.getByText("Solo se aceptan archivos XLSX y CSV")).toBeVisible();
  await input.setInputFiles(
    file("pedido.csv", `Pedido de Joyería Norte\n\nClave;Piezas\n${first!.key};25\n`),
  );
  await expect(sheet(page)).toContainText("1 fila se entiende · 0 por corregir");
  await sheet(page).getByRole("button", { name: "Agregar 1 línea" }).click();
  await expect(sheet(page)).toBeHidden();
  await expect(cell(page, "Cantidad")).toHaveValue("25");

  await page.getByLabel("Entrega", { exact: true }).fill("2099-01-05");
  await page.getByRole("textbox", { name: "PO#" }).focus();
  await expect(cell(page, "Entrega")).toHaveAttribute("placeholder", "2099-01-05");
  await cell(page, "Entrega").fill("5 de enero");
  await expect(page.getByRole("button", { name: "Guardar orden" })).toBeDisabled();
  await cell(page, "Entrega").fill("2099-02-07");
  await page.getByRole("button", { name: "Fechas, notas e imagen, línea 1" }).click();
  const details = page.getByRole("dialog");
  await details.getByLabel("Envío").fill("2099-02-09");
  await details.getByLabel("Notas de la línea").fill("Grabar");
  await details.getByRole("button", { name: "Listo" }).click();
  await expect(cell(page, "Notas")).toHaveValue("Grabar");
  await save(page);
  await expectSaved(page);
  expect((await savedOrder(api, po)).items).toMatchObject([
    {
      itemId: first!.id,
      quantity: 25,
      deliveryDate: "2099-02-07",
      shippingDate: "2099-02-09",
      shipmentDate: null,
      notes: "Grabar",
    },
  ]);
});
