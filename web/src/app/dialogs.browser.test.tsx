import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Permission } from "@/contract";
import { open, showApp } from "@/testing/app";
import { aForecast } from "@/testing/forecasts";
import { aLine, anOrder, aRecord } from "@/testing/lines";
import { Refused } from "@/testing/pages";

const HELD: Permission[] = [
  "ListSalesOrders",
  "ListOrders",
  "CreateSalesOrder",
  "UpdateSalesOrder",
  "PrintWorkSheet",
  "SalesOrderPositionRecord",
  "ManageCustomerLinks",
  "ChangePassword",
  "ListMaterials",
  "CreateMaterial",
  "UpdateMaterial",
  "DeleteMaterial",
];
const MATERIAL = {
  id: 1,
  version: 1,
  name: "Plata",
  nameEnglish: "",
  description: "",
  descriptionEnglish: "",
  active: true,
};
const FORECAST = aForecast();
const LINE = aLine({ forecast: FORECAST, productionProcesses: [aRecord()] });
const REASONS = {
  forecast: FORECAST,
  forecastWhy: null,
  where: "waiting",
  productionProcessId: 2,
  productionProcessName: "Vaciado",
  days: 1,
  like: [],
  likeCount: 0,
  spent: [],
  kept: [],
  finished: 20,
  needed: 8,
};
const ANSWERS = {
  "GET /api/sales-order/1": anOrder({ items: [LINE], actions: { edit: true, delete: false } }),
  "GET /api/sales-order/1/position/1": LINE,
  "GET /api/sales-order/1/position/1/forecast": REASONS,
  "GET /api/customer-links": [],
  "GET /api/materials": [MATERIAL],
  "GET /api/materials/1": MATERIAL,
  "POST /api/materials": MATERIAL,
  "POST /pdf/create-labels": new Refused(503, { code: "pdf_unavailable", message: "No se pudo" }),
};
const ORDER = "/operations/sales-orders/1";
const LINE_PAGE = "/operations/sales-orders/1/position/1/a";
const button = (name: string | RegExp) => page.getByRole("button", { name });
const press = (name: string | RegExp) => async () => {
  await expect.element(button(name).first()).toBeVisible();
  await button(name).first().click();
};
const dialogs = () => document.querySelectorAll('[role="dialog"]').length;
const closes = () => document.activeElement?.matches(".ant-modal-close, .ant-drawer-close");
const isInDialog = () => document.activeElement?.closest('[role="dialog"]') !== null;

it.each([
  ["the labels", ORDER, press("Etiquetas")],
  ["a shared order", ORDER, press("Compartir")],
  ["the order's drawer", ORDER, press("Editar orden")],
  ["the history of a line", LINE_PAGE, press("Ver historial")],
  ["the reasons of a forecast", LINE_PAGE, press("Por qué")],
  ["the list of keys", ORDER, () => userEvent.keyboard("?")],
  ["a new record", "/catalogs/materials?record=new", () => Promise.resolve()],
  ["a record", "/catalogs/materials?record=1", () => Promise.resolve()],
  [
    "a new password",
    ORDER,
    async () => {
      await press(/^Menú de /)();
      await page.getByRole("menuitem", { name: "Cambiar contraseña" }).click();
    },
  ],
  [
    "the help",
    ORDER,
    async () => {
      await press(/^Menú de /)();
      await page.getByRole("menuitem", { name: "Ayuda de esta página" }).click();
    },
  ],
])(
  "%s begin on a field or a button of theirs, not on the one that closes them",
  async (_, at, show) => {
    await showApp({ at, permissions: HELD, answers: ANSWERS });
    await show();
    await expect.poll(dialogs).toBe(1);
    await expect.poll(isInDialog).toBe(true);
    await expect.poll(closes).toBe(false);
  },
);

it("Ctrl+Enter presses the main button from wherever the focus is in a dialog", async () => {
  const asked = await showApp({ at: ORDER, permissions: HELD, answers: ANSWERS });
  const posts = () => asked.flatMap(({ method, path }) => (method === "POST" ? [path] : []));
  const close = page.getByRole("dialog").getByRole("button", { name: "Cerrar" }).first();
  const sendAt = async (closer: typeof close) => {
    (closer.element() as HTMLElement).focus();
    await expect.element(closer).toHaveFocus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
  };
  await press("Etiquetas")();
  await expect.element(close).toBeVisible();
  await sendAt(close);
  await expect.poll(posts).toContain("/pdf/create-labels");
  // The dialog was sent, not closed by the button that has the focus.
  await expect.element(page.getByRole("dialog").getByText("No se pudo")).toBeVisible();

  await open("/catalogs/materials?record=new");
  const name = page.getByRole("dialog").getByLabelText("Nombre", { exact: true });
  await expect.element(name).toHaveFocus();
  await name.fill("Oro");
  await sendAt(close);
  await expect.poll(posts).toContain("/api/materials");
  await expect.element(name).not.toBeInTheDocument();
});

it("returns the focus to a record that a link opened from another page", async () => {
  await showApp({ at: ORDER, permissions: HELD, answers: ANSWERS });
  const link = page.getByRole("button", { name: "Compartir" });
  await expect.element(link).toBeVisible();
  (link.element() as HTMLElement).focus();
  await open("/catalogs/materials?record=1");
  await expect
    .element(page.getByRole("dialog").getByLabelText("Nombre", { exact: true }))
    .toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.poll(() => document.activeElement?.getAttribute("data-row-key")).toBe("1");
});
