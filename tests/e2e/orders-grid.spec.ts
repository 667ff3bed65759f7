/** An order is typed by keyboard, pasted from a spreadsheet, or read from a customer's file. */
import type { Locator, Page } from "@playwright/test";
import type { Item } from "@/contract";
import {
  cell,
  choose,
  chooseProduct,
  expect,
  expectSaved,
  fillOrder,
  savedOrder,
  test,
  unique,
  type Api,
} from "./fixtures";

const NEW = "/#/operations/sales-orders/new";
/** The most keys that a clerk may press for an order of five lines, from the list to the saved order. */
const KEYS_MOST = 70;

/** Count the keys that are pressed. */
class Keys {
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async type(text: string) {
    this.count += text.length;
    await this.#page.keyboard.type(text);
  }

  /** A key pressed while another one is held counts as two. */
  async press(key: string) {
    this.count += key.split("+").length;
    await this.#page.keyboard.press(key);
  }
}

/** Products of the demo data. Other journeys create products with keys too long to type. */
async function products(api: Api, count: number): Promise<Item[]> {
  const items = await api.call<Item[]>("GET", "/api/items?status=true&limit=100");
  return items.filter(({ key }) => /^[A-Z]{2}-\d{3}$/.test(key)).slice(0, count);
}

/** Paste text as a spreadsheet copies it. */
async function paste(field: Locator, text: string) {
  await field.focus();
  await field.evaluate((element, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", data);
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

const sheet = (page: Page) => page.getByRole("dialog", { name: "Filas de la hoja" });
const save = (page: Page) => page.getByRole("button", { name: "Guardar orden" }).click();

test("an order of five lines is written with seventy keys at most, the fifth time as the first", async ({
  apiOf,
  pageOf,
}) => {
  test.slow(); // Five orders.
  const api = await apiOf("admin");
  const items = await products(api, 5);
  const page = await pageOf("sales");
  await page.goto("/#/operations/sales-orders");
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const [, month, day] = soon.split("-");
  for (const time of [1, 2, 3, 4, 5]) {
    // oxlint-disable no-await-in-loop -- one key after the other
    const keys = new Keys(page);
    const po = unique().slice(-6);
    await expect(page.locator("tr[data-row]").first()).toBeVisible();
    await keys.press("n");
    const customer = page.getByRole("combobox", { name: "Cliente", exact: true });
    await expect(customer, `order ${time}`).toBeFocused();
    await keys.type("mai");
    const offered = page.locator(".ant-select-dropdown:visible .ant-select-item-option");
    await expect(offered).toHaveCount(1);
    // Enter chooses, and Tab goes on by one field.
    await keys.press("Enter");
    await expect(customer).toBeFocused();
    await keys.press("Tab");
    await expect(page.getByRole("textbox", { name: "PO#" })).toBeFocused();
    await keys.type(po);
    await keys.press("Enter");
    await keys.type(`${day}/${month}`);
    await keys.press("Enter");
    for (const [place, item] of items.entries()) {
      await expect(cell(page, "Producto", place + 1)).toBeFocused();
      await keys.type(item.key);
      await keys.press("Enter");
      await keys.type(String(10 + place));
      if (place + 1 < items.length) await keys.press("Enter");
    }
    await keys.press("Control+Enter");
    await expectSaved(page);
    const order = await savedOrder(api, po);
    expect(order.customerName).toMatch(/^Mai/);
    expect(order.items.map(({ itemKey, quantity }) => [itemKey, quantity])).toEqual(
      items.map(({ key }, place) => [key, 10 + place]),
    );
    expect(new Set(order.items.map(({ deliveryDate }) => deliveryDate))).toEqual(new Set([soon]));
    test.info().annotations.push({ type: "keys", description: String(keys.count) });
    expect(keys.count, `order ${time}`).toBeLessThanOrEqual(KEYS_MOST);
    // oxlint-enable no-await-in-loop
  }
});

test("the keys of the grid work as in a spreadsheet", async ({ apiOf, pageOf }) => {
  const [first, second] = await products(await apiOf("admin"), 2);
  const page = await pageOf("sales");
  await page.goto(NEW);
  await chooseProduct(page, first!.name);
  await cell(page, "Cantidad").fill("3");
  await chooseProduct(page, second!.name, 2);
  await page.keyboard.press("Enter");
  await expect(cell(page, "Cantidad", 2)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(cell(page, "Cantidad")).toBeFocused();
  // Typing replaces the value, as in a spreadsheet.
  await page.keyboard.type("8");
  await expect(cell(page, "Cantidad")).toHaveValue("8");
  await page.keyboard.press("Tab");
  await expect(cell(page, "Entrega")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, "Cantidad", 3)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, "Cantidad", 3)).toBeFocused();
  // Every field is as high as its row, so that a click anywhere in the cell focuses it.
  const heights = await Promise.all(
    ["Producto", "Cantidad", "Entrega", "Notas"].map(
      async (name) => (await cell(page, name).boundingBox())?.height,
    ),
  );
  expect(heights).toEqual([44, 44, 44, 44]);
  // Escape restores a product that was typed over.
  await cell(page, "Producto").focus();
  await cell(page, "Producto").fill("zzz");
  await expect(page.getByText("Ningún producto activo coincide")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(cell(page, "Producto")).toHaveValue(first!.name);
});

test("rows of a spreadsheet are pasted up to the limit, and refused rows are corrected", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const [first, second, third] = await products(api, 3);
  const page = await pageOf("sales");
  await page.goto(NEW);
  const po = `E2E-${unique()}`;
  await choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }));
  await page.getByRole("textbox", { name: "PO#" }).fill(po);
  const preview = sheet(page);
  const tooMany = Array.from({ length: 5_001 }, (_, row) => `K-${row}\t1`).join("\n");
  await paste(cell(page, "Producto"), tooMany);
  await expect(preview).toContainText(
    "La hoja tiene 5,001 filas; una orden lleva hasta 5,000 líneas.",
  );
  await expect(preview.getByRole("button", { name: /^Agregar/ })).toBeDisabled();
  await preview.getByRole("button", { name: "Cerrar" }).last().click();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await paste(
    cell(page, "Producto"),
    [
      "Product\tQty\tDelivery date\tNotes",
      `${first!.key}\t12\t2099-12-18\t"pulir\ngrabar"`,
      `${second!.name.toUpperCase()}\t1,200\t03/04/2099\t`,
      `NO-HAY\t3\t\t`,
      `\t4\t\t`,
      `${third!.key}\tdoce\t18-dic-2099\t`,
    ].join("\n"),
  );
  await expect(preview).toContainText("1 filas se entienden · 4 por corregir");
  await expect(preview).toContainText("ningún producto activo se llama «NO-HAY»");
  await preview.getByRole("button", { name: "La coma separa los miles" }).click();
  await preview.getByRole("button", { name: "Día/mes/año" }).click();
  await expect(preview).toContainText("2 filas se entienden · 3 por corregir");
  expect(asked.filter((url) => url.includes("/api/items/called"))).toHaveLength(1);
  // Rows that are understood go into the grid; the others stay in the preview.
  await preview.getByRole("button", { name: "Agregar 2 líneas" }).click();
  await expect(preview).toContainText("0 filas se entienden · 3 por corregir");
  // Type digit by digit: the row must not be accepted after the first one.
  await preview.getByLabel("Cantidad, fila 6").selectText();
  await page.keyboard.type("19");
  await expect(preview).toContainText("1 filas se entienden");
  await preview.getByRole("button", { name: "Cerrar" }).last().click();
  await expect(page.getByText("3 filas de la hoja quedaron por corregir.")).toBeVisible();
  // They are kept while another sheet is pasted.
  await paste(cell(page, "Producto", 3), `${second!.key}\t5`);
  await preview.getByRole("button", { name: "Agregar 1 línea" }).click();
  await expect(preview).toBeHidden();
  await page.getByRole("button", { name: "Conservar ambas" }).click();
  await page.reload(); // The draft keeps the corrected rows.
  await page.getByRole("button", { name: "Revisarlas" }).click();
  await preview.getByRole("button", { name: "Agregar 1 línea" }).click();
  await preview.getByRole("button", { name: "Cerrar" }).last().click();
  // Typing more into a note keeps its line breaks.
  await cell(page, "Notas").press("Control+End");
  await page.keyboard.type("!");

  // Rows that are left would be lost: the first time, saving only says so.
  await save(page);
  await expect(
    page.getByText("Quedan 2 filas de la hoja por corregir. Guarde otra vez"),
  ).toBeVisible();
  await save(page);
  await expectSaved(page);
  const { items } = await savedOrder(api, po);
  const day = "2099-12-18";
  expect(items).toMatchObject([
    { itemId: first!.id, quantity: 12, deliveryDate: day, notes: "pulir\ngrabar!" },
    { itemId: second!.id, quantity: 1_200, deliveryDate: "2099-04-03", notes: "" },
    { itemId: second!.id, quantity: 5, deliveryDate: null, notes: "" },
    { itemId: third!.id, quantity: 19, deliveryDate: day, notes: "" },
  ]);
});

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
  await expect(sheet(page)).toContainText("1 filas se entienden · 0 por corregir");
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

test("on a phone the lines are cards with large fields", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const name = `Platería${unique().repeat(4)}`; // wider than the window, without a place to break
  await api.call("POST", "/api/customers", { name });
  const page = await pageOf("sales", { size: "handheld" });
  await page.goto(NEW);
  const po = `E2E-${unique()}`;
  await fillOrder(page, po);
  await choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }), name);
  const field = await cell(page, "Cantidad").boundingBox();
  expect(field!.height).toBeGreaterThanOrEqual(48);
  const hidden = () => document.documentElement.scrollWidth - window.innerWidth;
  expect(await page.evaluate(hidden)).toBe(0);
  // A button stands for the browser's own file field, and a date fits its field.
  await expect(page.locator('input[type="file"]')).toBeHidden();
  await cell(page, "Entrega").fill("2099-12-31");
  const [text, room] = await cell(page, "Entrega").evaluate((element) => [
    element.scrollWidth,
    element.clientWidth,
  ]);
  expect(text).toBe(room);
  await save(page);
  await expectSaved(page);
  expect((await savedOrder(api, po)).items).toMatchObject([{ quantity: 7 }]);
});
