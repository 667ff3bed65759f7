import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { CATALOGS, type Permission, type SalesOrder } from "@/contract";
import { open, showApp } from "@/testing/app";
import { aBillable } from "@/testing/bills";
import { choose } from "@/testing/choose";
import { aLine, anOrder } from "@/testing/lines";
import { aPayable } from "@/testing/payables";
import { SOON } from "@/testing/pages";
import { ROUTES } from "./routes";

/** Everything that pages and new records need. */
const HELD = [
  ...ROUTES.flatMap(({ access }) => access),
  ...Object.values(CATALOGS).map(({ Create }) => Create),
  "CreateUser",
  "CreateRole",
  "CreateSalesOrder",
  "UpdateSalesOrder",
  "UpdateSalesOrderPosition",
  "UpdateSalesOrderPositionStatus",
  "PrintWorkSheet",
  "CreateDelivery",
  "CreatePay",
] as Permission[];

const EDITABLE = { ...aLine().actions, edit: true };
const CAPTURED = anOrder({
  status: "New",
  actions: { edit: true, delete: false },
  items: [1, 2].map((position) =>
    aLine({
      id: position,
      position,
      status: "New",
      actions: { ...EDITABLE, statuses: ["Approved"] },
    }),
  ),
});
const APPROVED = anOrder({
  version: 2,
  revision: 2,
  actions: { edit: true, delete: false },
  items: CAPTURED.items.map((line) =>
    aLine({ id: line.id, position: line.position, version: 5, actions: EDITABLE }),
  ),
});
const NOTHING_FOUND = { orders: [], lines: [], customers: [], products: [] };
const many = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
let order: SalesOrder = CAPTURED;
function inLists(whole: SalesOrder) {
  const { items: _, ...summary } = whole;
  return [summary];
}
const ANSWERS = {
  "GET /api/search": () => ({ ...NOTHING_FOUND, orders: inLists(order) }),
  "GET /api/sales-order": () => inLists(order),
  "GET /api/sales-order/1": () => order,
  "POST /api/sales-order/1/approve": () => (order = APPROVED),
  "GET /api/customers": [{ id: 1, name: "Platería Norte", phones: [], emails: [] }],
  "GET /api/items/offered": [{ id: 3, key: "AN-1", name: "Anillo", thumbnail: null }],
  "GET /api/sales-order/positions/production-processes": many(25).map((id) => aPayable({ id })),
  "GET /api/deliveries/billable": many(8).map((position) => aBillable({ position })),
  "GET /api/deliveries/currencies": { customer: "USD", last: null },
  "GET /api/deliveries/addresses": { customer: true, company: true },
};
const show = (at: string) => showApp({ at, permissions: HELD, answers: ANSWERS });

const keys = (pressed: string) => userEvent.keyboard(pressed);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const titlesOf = () =>
  [...document.querySelectorAll(".ob-palette__title")].map(({ textContent }) => textContent);
const dialogs = () => document.querySelectorAll('[role="dialog"]').length;

/** Choose by its whole title in the palette. */
async function inPalette(title: string): Promise<void> {
  await expect.element(button("Buscar en todo")).toBeVisible();
  await keys("{Control>}k{/Control}");
  const field = page.getByRole("combobox", { name: /PO#, línea/ });
  await expect.element(field).toHaveFocus();
  await field.fill(title);
  await expect.poll(titlesOf).toContain(title);
  await keys(`${"{ArrowDown}".repeat(titlesOf().indexOf(title))}{Enter}`);
  await expect.poll(titlesOf).toEqual([]);
}

/** What has the focus: a field of a dialog with this title, a field of the page by its id, or another element. */
function focusOf() {
  const focused = document.activeElement;
  if (focused?.matches("input, textarea") !== true) return focused?.localName;
  const dialog = focused.closest('[role="dialog"]');
  return dialog?.querySelector(".ant-drawer-title, .ant-modal-title")?.textContent ?? focused.id;
}

/** Press Tab so many times. Returns the focused controls that a bar covered. */
async function hiddenFocus(steps: number, shift = false): Promise<string[]> {
  const hidden: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await userEvent.tab({ shift });
    const focused = document.activeElement;
    const bars = [...document.querySelectorAll(".ob-form-bar, .ob-selection, .ob-navbar")];
    // The link to the content is above the bar.
    if (focused === null || focused === document.body || focused.matches(".ob-skip")) continue;
    if (bars.some((bar) => bar.contains(focused))) continue;
    const box = focused.getBoundingClientRect();
    const isCovered = bars.some((bar) => {
      const { top, bottom } = bar.getBoundingClientRect();
      return box.bottom > top + 1 && box.top < bottom - 1;
    });
    if (isCovered)
      hidden.push(
        `${focused.tagName} ${focused.getAttribute("aria-label") ?? focused.textContent}`,
      );
  }
  return hidden;
}

it("a form's first field has the focus, the second time too, and other pages have it themselves", async () => {
  await show("/catalogs/materials");
  for (const time of [1, 2]) {
    for (const [title, focused] of [
      ["Órdenes de venta", "main"],
      ["Nueva orden de venta", "customerId"],
      ["Materiales", "main"],
      ["Nuevo material", "Nuevo material"],
      ["Nuevo cliente", "Nuevo cliente"],
      ["Nueva factura", "customerId"],
      ["Usuarios", "main"],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one page after the other
      await inPalette(title);
      await expect.poll(focusOf, { message: `${title}, time ${time}` }).toBe(focused);
      // oxlint-enable no-await-in-loop
    }
    await expect.element(button("Nuevo usuario").first()).toBeVisible();
    await keys("n");
    await expect.poll(focusOf, { message: `new user, time ${time}` }).toBe("Nuevo usuario");
    await keys("{Escape}");
    await expect.poll(dialogs).toBe(0);
  }
});

it("the keys of an order open forms at their first field, the second time too", async () => {
  order = CAPTURED;
  await show("/operations/sales-orders");
  for (const time of [1, 2]) {
    // oxlint-disable no-await-in-loop -- one after the other
    await inPalette("PO-1");
    await expect.element(button("Más acciones de la orden")).toBeVisible();
    await keys("e");
    await expect.poll(focusOf, { message: `edit ${time}` }).toBe("Editar la orden PO-1");
    await keys("{Escape}");
    await expect.poll(dialogs).toBe(0);
    await expect.element(button("Editar orden")).toHaveFocus();
    await keys("d");
    await expect.element(page.getByRole("textbox", { name: "PO#" })).toHaveFocus();
    await inPalette("PO-1");
    await expect.element(button("Más acciones de la orden")).toBeVisible();
    await keys("l");
    await expect.element(page.getByLabelText("Producto, línea 3")).toHaveFocus();
    // oxlint-enable no-await-in-loop
  }
});

it("when the focused button disappears, the focus moves to what comes next", async () => {
  order = CAPTURED;
  await show("/operations/sales-orders/1");
  const press = async (name: string | RegExp) => {
    const found = button(name).first();
    await vi.waitFor(() => (found.element() as HTMLElement).focus(), SOON);
    await keys("{Enter}");
  };
  await press(/^Aprobar/);
  await expect.element(button("Imprimir hojas")).toHaveFocus();

  await open("/catalogs/customers?record=new");
  const focusedRow = () =>
    document.activeElement?.closest("fieldset")?.querySelector("legend")?.textContent;
  // A new row is where one types next.
  for (const row of ["Teléfono 1", "Teléfono 2"]) {
    // oxlint-disable no-await-in-loop
    await press("Agregar teléfono");
    await expect.poll(focusedRow).toBe(row);
    // oxlint-enable no-await-in-loop
  }
  await press("Quitar Teléfono 1");
  await expect.element(button("Quitar Teléfono 2")).not.toBeInTheDocument();
  await expect.poll(focusedRow).toBe("Teléfono 1");
  await press("Quitar Teléfono 1");
  await expect.element(button("Agregar teléfono")).toHaveFocus();

  // A row of an order's grid: the next row's product, and keys of the grid work there.
  await open("/operations/sales-orders/new?copy=1");
  await press(/^Quitar la línea 1/);
  await expect.element(page.getByLabelText("Producto, línea 1")).toHaveFocus();
});

it("bars never cover the focused control", async () => {
  await show("/reports/pay-orders?view=records");
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).click();
  await expect.element(page.getByRole("region", { name: "Registros elegidos" })).toBeVisible();
  expect(await hiddenFocus(60)).toEqual([]);
  expect(await hiddenFocus(60, true)).toEqual([]);

  await open("/reports/bills/new");
  const customer = page.getByRole("combobox", { name: "Cliente" });
  await expect.element(customer).toHaveFocus();
  await choose(customer, "Platería Norte");
  await page.getByRole("checkbox", { name: "Marcar todas" }).click();
  await vi.waitFor(
    () => (page.getByLabelText("Folio CFDI").element() as HTMLElement).focus(),
    SOON,
  );
  expect(await hiddenFocus(40)).toEqual([]);
  expect(await hiddenFocus(40, true)).toEqual([]);
});
