import { expect, it, vi } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import { showApp } from "@/testing/app";
import { anOrder, aSummary } from "@/testing/lines";
import { expectWithin } from "@/testing/looks";
import { unmountAll } from "@/testing/mount";
import { Refused, type Asked } from "@/testing/pages";

const NEW = "/operations/sales-orders/new";
/** The most keys that a clerk may press for an order of five lines, from the list to the saved order. */
const KEYS_MOST = 70;
/** Wider than a phone, without a place to break. */
const LONG = "Platería".repeat(12);

const ITEMS = [1, 2, 3, 4, 5].map((id) => ({
  id,
  key: `AN-10${id}`,
  name: `Anillo ${id}`,
  thumbnail: null,
}));
const CUSTOMERS = ["Maison Azul", "Platería Norte", LONG].map((name, place) => ({
  id: place + 1,
  name,
}));
const has = (text: string, search = "") => text.toLowerCase().includes(search.toLowerCase());
const isTaken = { code: "duplicate", message: "Ya existe", field: "customerSalesOrderId" };

interface Body {
  items: { itemId: number; quantity: number; deliveryDate: string | null; notes: string }[];
}

/** Show a page; `sent` returns the saved orders. `offered`: the day that is offered for each product. */
async function show(at: string, offered: Record<number, string> = {}) {
  const asked = await showApp({
    at,
    permissions: ["ListSalesOrders", "CreateSalesOrder"],
    answers: {
      "GET /api/sales-order": [aSummary()],
      "GET /api/customers": ({ query }: Asked) =>
        CUSTOMERS.filter(({ name }) => has(name, query["search"])),
      "GET /api/items/offered": ({ query }: Asked) =>
        ITEMS.filter(({ key, name }) => has(`${key} ${name}`, query["search"])),
      "GET /api/forecasts/offered": Object.entries(offered).map(([id, p80]) => ({
        itemId: Number(id),
        p50: p80,
        p80,
      })),
      "POST /api/items/called": ({ body }: Asked) =>
        (body as { texts: string[] }).texts.map((text) => ({
          text,
          products: ITEMS.filter(({ key, name }) => has(key, text) || has(name, text)),
        })),
      "POST /api/sales-order": ({ body }: Asked) =>
        (body as { customerSalesOrderId: string }).customerSalesOrderId === "TAKEN"
          ? new Refused(409, {
              code: "conflict",
              message: "Ya existe",
              errors: [{ ...isTaken, params: { orderId: 5 } }],
            })
          : anOrder(),
    },
  });
  const of = (path: string) =>
    asked.filter((each) => each.method === "POST" && each.path === path).map(({ body }) => body);
  return { sent: () => of("/api/sales-order") as Body[], called: () => of("/api/items/called") };
}

const customer = page.getByRole("combobox", { name: "Cliente" });
const po = page.getByRole("textbox", { name: "PO#" });
const save = page.getByRole("button", { name: "Guardar orden" });
const cell = (name: string, row = 1) =>
  page.getByLabelText(`${name}, línea ${row}`, { exact: true });
const gridRows = () => document.querySelectorAll(".ob-grid__row").length;

async function choose(name: string, row = 1) {
  await cell("Producto", row).click();
  await cell("Producto", row).fill(name);
  await page.getByRole("option", { name }).click();
}
async function chooseCustomer(name: string) {
  await customer.click();
  await page.getByTitle(name).click();
}
const focus = (field: Locator) => vi.waitFor(() => (field.element() as HTMLElement).focus());

/** Paste text as a spreadsheet copies it. */
async function paste(field: Locator, text: string) {
  await focus(field);
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  field
    .element()
    .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}

it("an order of five lines takes seventy keys at most, the second time as the first", async () => {
  const { sent } = await show("/operations/sales-orders");
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const [, month, day] = soon.split("-");
  let keys = 0;
  const press = (text: string, count = text.length) => {
    keys += count;
    return userEvent.keyboard(text);
  };
  const enter = () => press("{Enter}", 1);
  for (const time of [1, 2]) {
    // oxlint-disable no-await-in-loop -- one key after the other
    keys = 0;
    await expect.element(page.getByRole("row", { name: "PO-1" })).toBeVisible();
    await press("n");
    await expect.element(customer).toHaveFocus();
    await press("mai");
    await expect.element(page.getByTitle("Maison Azul")).toBeVisible();
    await expect.element(page.getByTitle("Platería Norte")).not.toBeInTheDocument();
    // Enter chooses, and Tab goes on by one field.
    await enter();
    await expect.element(customer).toHaveFocus();
    await press("{Tab}", 1);
    await expect.element(po).toHaveFocus();
    await press(`12345${time}`);
    await enter();
    await press(`${day}/${month}`);
    await enter();
    for (const [place, { key }] of ITEMS.entries()) {
      await expect.element(cell("Producto", place + 1)).toHaveFocus();
      await press(key);
      await enter();
      await press(String(10 + place));
      if (place + 1 < ITEMS.length) await enter();
    }
    await press("{Control>}{Enter}{/Control}", 2);
    await expect.poll(() => sent().length).toBe(time);
    expect(sent().at(-1)).toMatchObject({
      customerId: 1,
      items: ITEMS.map(({ id }, place) => ({
        itemId: id,
        quantity: 10 + place,
        deliveryDate: soon,
      })),
    });
    expect(keys).toBeLessThanOrEqual(KEYS_MOST);
    // oxlint-enable no-await-in-loop
  }
});

it("the keys of the grid work as in a spreadsheet, and on a phone its lines are cards", async () => {
  const { sent } = await show(NEW);
  await choose("Anillo 1");
  await cell("Cantidad").fill("3");
  await choose("Anillo 2", 2);
  await userEvent.keyboard("{Enter}");
  await expect.element(cell("Cantidad", 2)).toHaveFocus();
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(cell("Cantidad")).toHaveFocus();
  // Typing replaces the value, as in a spreadsheet.
  await userEvent.keyboard("8");
  await expect.element(cell("Cantidad")).toHaveValue("8");
  await userEvent.keyboard("{Tab}");
  await expect.element(cell("Entrega")).toHaveFocus();
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}{ArrowDown}{ArrowDown}");
  await expect.element(cell("Cantidad", 3)).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  await expect.element(cell("Cantidad", 3)).toHaveFocus();
  // Every field is as high as its row, so that a click anywhere in the cell focuses it.
  const heightOf = (name: string) => cell(name).element().getBoundingClientRect().height;
  expect(["Producto", "Cantidad", "Entrega", "Notas"].map(heightOf)).toEqual([44, 44, 44, 44]);
  // Escape restores a product that was typed over.
  await cell("Producto").fill("zzz");
  await expect.element(page.getByText("Ningún producto activo coincide")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(cell("Producto")).toHaveValue("Anillo 1");

  await page.viewport(390, 844);
  await chooseCustomer(LONG);
  await po.fill("PO-1");
  await cell("Cantidad", 2).fill("7");
  expect(heightOf("Cantidad")).toBeGreaterThanOrEqual(48);
  expectWithin("a new order on a phone");
  // A button stands for the browser's own file field, and a date fits its field.
  expect(document.querySelector('input[type="file"]')?.checkVisibility()).toBe(false);
  await cell("Entrega").fill("2099-12-31");
  const { scrollWidth, clientWidth } = cell("Entrega").element();
  expect(scrollWidth).toBe(clientWidth);
  await save.click();
  await expect.poll(() => sent()[0]?.items.map(({ quantity }) => quantity)).toEqual([8, 7]);
});

it("asks about a repeated product, refuses beside the fields, and asks before what was typed is lost", async () => {
  const { sent } = await show("/operations/sales-orders");
  const create = page.getByRole("button", { name: "Nueva orden" });
  const cancel = page.getByRole("button", { name: "Cancelar" });
  // The router knows the page behind the second one only.
  await create.click();
  await cancel.click();
  await create.click();
  await choose("Anillo 1");
  await page.getByRole("button", { name: /^Quitar la línea 1/ }).click();
  await expect.element(cell("Producto")).toHaveValue("");
  window.history.back();
  const leaving = page.getByRole("dialog", { name: "Hay cambios sin guardar" });
  await leaving.getByRole("button", { name: "Seguir aquí" }).click();
  expect(window.location.hash).toMatch(/\/new$/);

  await save.click();
  await expect.element(page.getByText("Este dato es obligatorio")).toBeVisible();
  await expect
    .element(page.getByText("El consecutivo del cliente (PO#) es obligatorio"))
    .toBeVisible();
  await expect.element(page.getByText("Agregue al menos un producto a la lista")).toBeVisible();
  await chooseCustomer("Platería Norte");
  await po.fill("TAKEN");
  await choose("Anillo 1");
  await cell("Cantidad").fill("7");

  const question = page.getByRole("group", { name: "Producto repetido, línea 2" });
  const add = question.getByRole("button", { name: "Sumar a la línea 1" });
  await choose("Anillo 1", 2);
  await expect.element(question).toMatchTextContent("Ya está en la línea 1.");
  // The quantities cannot be added before the second is typed, and saving waits for the answer.
  await expect.element(add).toBeDisabled();
  await cell("Cantidad", 2).fill("5");
  await save.click();
  await expect.element(cell("Producto", 2)).toHaveFocus();
  await add.click();
  await expect.element(cell("Cantidad")).toHaveValue("12");
  await expect.element(cell("Cantidad")).toHaveFocus();
  await choose("Anillo 1", 2);
  await question.getByRole("button", { name: "Conservar ambas" }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(gridRows()).toBe(3);
  await page.getByRole("button", { name: /^Quitar la línea 2/ }).click();
  await expect.poll(gridRows).toBe(2);

  const quantity = cell("Cantidad");
  await quantity.fill("");
  await save.click();
  await expect.element(page.getByText("Escriba cuántas")).toBeVisible();
  await expect.element(quantity).toHaveFocus();
  for (const [text, why] of [
    ["0", "Debe ser 1 o más"],
    ["99999999999", "Debe ser 10,000,000 o menos"],
    ["2.5", "Escriba un número entero"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one after the other, as a person types
    await quantity.fill(text);
    await userEvent.keyboard("{Tab}");
    await expect.element(quantity).toHaveValue(text);
    await expect.element(page.getByText(why)).toBeVisible();
    await expect.element(page.getByText("Total: 1 línea · —")).toBeVisible();
    await expect.element(save).toBeDisabled();
    // oxlint-enable no-await-in-loop
  }
  await quantity.fill("3");
  expect(sent()).toEqual([]);
  await save.click();
  const field = po.element().closest(".ant-form-item")!;
  await expect.poll(() => field.textContent).toContain("Ya existe");
  await expect.element(page.getByRole("link", { name: /^Ver la orden / })).toBeVisible();
  await expect.element(po).toHaveFocus();
  expect(sent()).toMatchObject([{ items: [{ itemId: 1, quantity: 3 }] }]);
  await cancel.click();
  await leaving.getByRole("button", { name: "Salir sin guardar" }).click();
  await expect.poll(() => window.location.hash).toBe("#/operations/sales-orders");
});

it("rows of a spreadsheet are pasted up to the limit, and refused rows are corrected", async () => {
  const { called } = await show(NEW);
  await chooseCustomer("Platería Norte");
  await po.fill("PO-1");
  const preview = page.getByRole("dialog", { name: "Filas de la hoja" });
  const adds = (name: string) => preview.getByRole("button", { name });
  const close = () => adds("Cerrar").last().click();
  const says = async (text: string) => {
    await expect.element(preview).toMatchTextContent(text);
  };
  const rows = Array.from({ length: 5_001 }, (_, row) => `K-${row}\t1`);
  await paste(cell("Producto"), rows.join("\n"));
  await says("La hoja tiene 5,001 filas; una orden lleva hasta 5,000 líneas.");
  await expect.element(preview.getByRole("button", { name: /^Agregar/ })).toBeDisabled();
  await close();
  await paste(
    cell("Producto"),
    [
      "Product\tQty\tDelivery date\tNotes",
      `AN-101\t12\t2099-12-18\t"pulir\ngrabar"`,
      `ANILLO 2\t1,200\t03/04/2099\t`,
      `NO-HAY\t3\t\t`,
      `\t4\t\t`,
      `AN-103\tdoce\t18-dic-2099\t`,
    ].join("\n"),
  );
  await says("1 fila se entiende · 4 por corregir");
  await says("ningún producto activo se llama «NO-HAY»");
  await adds("La coma separa los miles").click();
  await adds("Día/mes/año").click();
  await says("2 filas se entienden · 3 por corregir");
  expect(called()).toHaveLength(1);
  // Rows that are understood go into the grid; the others stay in the preview.
  await adds("Agregar 2 líneas").click();
  await says("0 filas se entienden · 3 por corregir");
  // Typed digit by digit: the row must not be accepted after the first one.
  const wrong = preview.getByLabelText("Cantidad, fila 6");
  (wrong.element() as HTMLInputElement).select();
  await userEvent.keyboard("19");
  await says("1 fila se entiende");
  await close();
  await expect.element(page.getByText("3 filas de la hoja quedaron por corregir.")).toBeVisible();
  // They are kept while another sheet is pasted.
  await paste(cell("Producto", 3), "AN-102\t5");
  await adds("Agregar 1 línea").click();
  await expect.element(preview).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Conservar ambas" }).click();

  // The draft keeps the corrected rows.
  await expect.poll(() => sessionStorage.getItem("draft:order/new")).toContain('"kept":true');
  unmountAll();
  const { sent } = await show(NEW);
  await page.getByRole("button", { name: "Revisarlas" }).click();
  await adds("Agregar 1 línea").click();
  await close();
  // Typing more into a note keeps its line breaks.
  await focus(cell("Notas"));
  await userEvent.keyboard("{Control>}{End}{/Control}!");

  // Rows that are left would be lost: the first time, saving only says so.
  await save.click();
  await expect
    .element(page.getByText("Quedan 2 filas de la hoja por corregir. Guarde otra vez"))
    .toBeVisible();
  expect(sent()).toEqual([]);
  await save.click();
  const deliveryDate = "2099-12-18";
  await expect
    .poll(() => sent()[0]?.items)
    .toMatchObject([
      { itemId: 1, quantity: 12, deliveryDate, notes: "pulir\ngrabar!" },
      { itemId: 2, quantity: 1_200, deliveryDate: "2099-04-03", notes: "" },
      { itemId: 2, quantity: 5, deliveryDate: null, notes: "" },
      { itemId: 3, quantity: 19, deliveryDate, notes: "" },
    ]);
});

it("offers each line its day, and all of them by one button", async () => {
  await show(NEW, { 1: "2099-03-02", 2: "2099-03-05" });
  await choose("Anillo 1");
  const all = page.getByRole("button", { name: /^Ofrecer su día a las/ });
  await expect.element(page.getByRole("button", { name: /^Ofrecer .*línea 1/ })).toBeVisible();
  await expect.element(all).not.toBeInTheDocument();
  await choose("Anillo 2", 2);
  await expect.element(all).toMatchTextContent("Ofrecer su día a las 2 líneas");
  // The rules between the cells reach from row to row.
  const row = document.querySelector(".ob-grid__row")!;
  const heights = [...row.querySelectorAll(".ob-grid__cell")].map(
    (each) => each.getBoundingClientRect().height,
  );
  expect(new Set(heights).size).toBe(1);
  await all.click();
  await expect.element(cell("Entrega")).toHaveValue("2099-03-02");
  await expect.element(cell("Entrega", 2)).toHaveValue("2099-03-05");
  await expect.element(all).not.toBeInTheDocument();
});
