import { expect, it, vi } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import { open, showApp } from "@/testing/app";
import { aLine, anOrder } from "@/testing/lines";
import { unmountAll } from "@/testing/mount";

const PERMISSIONS = [
  "ListSalesOrders",
  "CreateSalesOrder",
  "UpdateSalesOrder",
  "ListOrders",
] as const;
const EDITABLE = { ...aLine().actions, edit: true };
const ORDER = anOrder({
  actions: { edit: true, delete: false },
  items: [aLine({ actions: EDITABLE })],
});
const ANSWERS = {
  "GET /api/customers": [{ id: 1, name: "Platería Norte" }],
  "GET /api/items/offered": [{ id: 3, key: "AN-1", name: "Anillo", thumbnail: null }],
  "GET /api/sales-order/1": ORDER,
  "POST /api/sales-order": ORDER,
  "PUT /api/sales-order/1": ORDER,
  "PUT /api/sales-order/1/position/1/full": aLine({ actions: EDITABLE }),
};

const focus = (field: Locator) => vi.waitFor(() => (field.element() as HTMLElement).focus());
const SEND = "{Control>}{Enter}{/Control}";

/** Press Enter in each of these fields, and wait a frame, in which the page would send. */
async function enterIn(...fields: Locator[]): Promise<void> {
  for (const field of fields) {
    // oxlint-disable no-await-in-loop -- one field after the other
    await focus(field);
    await userEvent.keyboard("{Enter}");
    // oxlint-enable no-await-in-loop
  }
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Show a page with the writes that it sends, without those of the start, sessions and notifications. */
async function show(at: string) {
  const asked = await showApp({ at, permissions: PERMISSIONS, answers: ANSWERS });
  const writes = () =>
    asked
      .filter(
        ({ method, path }) => method !== "GET" && !/describe|ticket|\/read$|\/start$/.test(path),
      )
      .map(({ method, path }) => `${method} ${path}`);
  return { writes, bodyOf: (write: string) => asked.find(isOf(write))?.body };
}
const isOf =
  (write: string) =>
  ({ method, path }: { method: string; path: string }) =>
    write === `${method} ${path}`;

const field = (name: string) => page.getByLabelText(name, { exact: true });
const saved = page.getByText("Guardado correctamente");
const po = page.getByRole("textbox", { name: "PO#" });

it("Enter does not send a new order, and Ctrl+Enter does, with the typed day alone", async () => {
  const { writes, bodyOf } = await show("/operations/sales-orders/new");
  await page.getByRole("combobox", { name: "Cliente" }).click();
  await page.getByTitle("Platería Norte").click();
  await po.fill("PO-1");
  // Tab leaves the list of products without choosing.
  await field("Producto, línea 1").fill("anillo");
  const offered = page.getByRole("option", { name: "Anillo" });
  await expect.element(offered).toHaveAttribute("aria-selected", "true");
  await userEvent.tab();
  await expect.element(field("Cantidad, línea 1")).toHaveFocus();
  await expect.element(field("Producto, línea 1")).toHaveValue("anillo");
  await field("Producto, línea 1").click();
  await offered.click();
  await field("Cantidad, línea 1").fill("7");
  await field("Entrega, línea 1").fill("2099-12-31");
  const date = field("Fecha de la orden");
  await date.fill("2026-03-05");
  await userEvent.keyboard("{Enter}");
  await expect.element(date).toHaveValue("2026-03-05");
  await enterIn(po, field("Cantidad, línea 1"), field("Entrega, línea 1"));
  expect(writes()).toEqual([]);
  expect(window.location.hash).toMatch(/\/new$/);

  // An incomplete date stays and is refused: the former date and the one under the pointer are not sent.
  await date.fill("2026-03");
  await page.getByTitle("2026-03-19").hover();
  await userEvent.keyboard(SEND);
  await expect.element(page.getByText("Escriba la fecha como YYYY-MM-DD")).toBeVisible();
  await expect.element(date).toHaveValue("2026-03");
  await expect.element(page.getByRole("button", { name: "Guardar orden" })).toBeDisabled();
  expect(writes()).toEqual([]);
  await date.fill("2026-03-06");
  await userEvent.keyboard(SEND);
  await expect.element(saved).toBeVisible();
  expect(writes()).toEqual(["POST /api/sales-order"]);
  expect(bodyOf("POST /api/sales-order")).toMatchObject({ salesOrderDate: "2026-03-06" });
});

it("Enter does not send an edited order or line, and Ctrl+Enter does", async () => {
  const { writes } = await show("/operations/sales-orders/1?edit=order");
  await field("Notas").fill("Con estuche");
  await enterIn(po, field("Fecha de la orden"));
  expect(writes()).toEqual([]);
  await focus(po);
  await userEvent.keyboard(SEND);
  await expect.element(saved).toBeVisible();
  expect(writes()).toEqual(["PUT /api/sales-order/1"]);
  // A drawer that closes changes the address.
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();

  await open("/operations/sales-orders/1?edit=1");
  await field("Cantidad").fill("4");
  await enterIn(field("Cantidad"), field("Notas de la línea"));
  expect(writes()).toHaveLength(1);
  await focus(field("Cantidad"));
  await userEvent.keyboard(SEND);
  await expect.poll(() => writes()[1]).toBe("PUT /api/sales-order/1/position/1/full");
});

const WITH_PICTURE = aLine({ actions: EDITABLE, version: 5, ownImage: true, image: "a.jpeg" });

/** Uploads. The first one fails. */
class Upload extends EventTarget {
  static sent: string[] = [];
  readonly upload = new EventTarget();
  readonly status = 200;
  readonly response = WITH_PICTURE;
  responseType = "";
  #path = "";

  open(_method: string, path: string) {
    this.#path = new URL(path, window.location.href).pathname;
  }
  setRequestHeader() {}
  send() {
    const isFirst = Upload.sent.push(this.#path) === 1;
    queueMicrotask(() => this.dispatchEvent(new Event(isFirst ? "error" : "load")));
  }
}

it("a line's picture that could not be sent stays chosen and is sent again, and it is removed", async () => {
  vi.stubGlobal("XMLHttpRequest", Upload);
  const at = "/operations/sales-orders/1?edit=1";
  await showApp({ at, permissions: PERMISSIONS, answers: ANSWERS });
  const drawer = page.getByRole("dialog");
  const save = () => drawer.getByRole("button", { name: "Guardar" }).click();
  await expect.element(drawer.getByLabelText("Cantidad")).toBeVisible();
  const canvas = new OffscreenCanvas(48, 48);
  canvas.getContext("2d")?.fillRect(0, 0, 48, 48);
  const file = new File([await canvas.convertToBlob()], "uno.png", { type: "image/png" });
  await userEvent.upload(drawer.element().querySelector('input[type="file"]')!, file);
  await save();
  await expect.element(drawer.getByText(/La que eligió sigue aquí/)).toBeVisible();
  await save();
  await expect.element(drawer).not.toBeInTheDocument();
  const place = "/api/sales-order/1/position/1";
  expect(Upload.sent).toEqual([`${place}/upload/document`, `${place}/upload/document`]);

  // As after a reload.
  unmountAll();
  const asked = await showApp({
    at,
    permissions: PERMISSIONS,
    answers: {
      ...ANSWERS,
      "GET /api/sales-order/1": anOrder({ items: [WITH_PICTURE] }),
      "DELETE /api/sales-order/1/position/1/document": WITH_PICTURE,
    },
  });
  await drawer.getByRole("button", { name: "Quitar", exact: true }).click();
  await save();
  await expect
    .poll(() => asked.filter(({ method }) => method === "DELETE").map(({ path }) => path))
    .toEqual([`${place}/document`]);
  await expect.element(drawer).not.toBeInTheDocument();
});
