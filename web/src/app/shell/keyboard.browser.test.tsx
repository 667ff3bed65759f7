import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { chooseDensity } from "@/shared/theme/look";
import { open, showApp } from "@/testing/app";
import { aForecast } from "@/testing/forecasts";
import { aLine, anOrder } from "@/testing/lines";
import { expectAccessible } from "@/testing/looks";
import type { Asked } from "@/testing/pages";

const keys = (pressed: string) => userEvent.keyboard(pressed);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name });
const nothing = { orders: [], lines: [], customers: [], products: [] };
const field = page.getByRole("combobox", { name: /PO#, línea/ });
const options = () => document.querySelectorAll('[role="option"]').length;

async function openPalette(): Promise<void> {
  await expect.element(button("Buscar en todo")).toBeVisible();
  await keys("{Control>}k{/Control}");
  await expect.element(field).toHaveFocus();
}

it("the palette marks what the server finds, ignores late answers, and shows markup as text", async () => {
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const answered: string[] = [];
  const asked = await showApp({
    at: "/catalogs/materials",
    permissions: ["ListMaterials", "ListCustomers", "ListItems"],
    answers: {
      "GET /api/search": async ({ query: { q = "" } }: Asked) => {
        if (q === "anillo") await held;
        answered.push(q);
        if (q === "nandu optica")
          return { ...nothing, customers: [{ id: 1, name: "Óptica Ñandú" }] };
        if (q !== "anillo") return nothing;
        return { ...nothing, products: [{ id: 3, key: "AN-1", name: "Anillo", thumbnail: null }] };
      },
    },
  });
  await openPalette();
  await keys("nandu optica");
  const option = page.getByRole("option", { name: "Óptica Ñandú" });
  await expect.element(option).toHaveAttribute("aria-selected", "true");
  await expect.element(field).toHaveAttribute("aria-activedescendant", option.element().id);
  await expectAccessible("the palette");

  await field.fill("anillo");
  await expect.poll(() => asked.some(({ query }) => query["q"] === "anillo")).toBe(true);
  await field.fill("<img src=x onerror=alert(1)>");
  await expect
    .element(page.getByText("Nada se llama así: <img src=x onerror=alert(1)>"))
    .toBeVisible();
  release();
  await expect.poll(() => answered).toContain("anillo");
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(options()).toBe(0);
  expect(document.querySelector("img[src=x]")).toBeNull();
  await keys("{Escape}");
  await expect.element(field).not.toBeInTheDocument();
});

it("the empty palette begins with what is recent and what can be made, and its rows show whole sentences", async () => {
  const line = aLine({
    itemName: "Anillo de compromiso con zafiro azul y dos brillantes ".repeat(3),
  });
  await showApp({
    at: "/operations/sales-orders/1",
    permissions: ["ListSalesOrders", "ListOrders", "CreateSalesOrder"],
    answers: {
      "GET /api/sales-order": [],
      "GET /api/sales-order/1": anOrder({ items: [line] }),
      "GET /api/search": { ...nothing, lines: [line] },
    },
  });
  const order = page.getByRole("heading", { name: /PO-1/ });
  await expect.element(order).toBeVisible();
  await open("/operations/sales-orders");
  await expect.element(order).not.toBeInTheDocument();
  await openPalette();
  const titles = () =>
    [...document.querySelectorAll(".ob-palette__kind, .ob-palette__title")].map(
      ({ textContent }) => textContent,
    );
  await expect
    .poll(() => titles().slice(0, 5))
    .toEqual(["Recientes", "PO-1", "Crear", "Nueva orden de venta", "Páginas"]);
  expect(titles().indexOf("Acciones")).toBeGreaterThan(5);
  await keys("po-1");
  const note = () => document.querySelector(".ob-palette__note:not(:empty)")!;
  await expect.poll(() => note()?.textContent).toContain("brillantes");
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = note();
  expect([scrollWidth <= clientWidth, scrollHeight <= clientHeight]).toEqual([true, true]);
  await keys("{Escape}");
});

const LINES = [1, 2].map((position) =>
  aLine({ id: position, position, forecast: aForecast({ risk: "high" }) }),
);

it("keys of a list search, add, open and tick rows, and `?` lists them", async () => {
  const asked = await showApp({
    at: "/operations/orders",
    permissions: [
      "ListOrders",
      "UpdateSalesOrderPositionStatus",
      "ListCustomers",
      "CreateCustomer",
    ],
    answers: {
      "GET /api/sales-order/positions": LINES,
      "GET /api/sales-order/1/position/2": LINES[1],
      "GET /api/customers": [{ id: 1, name: "Platería Norte", phones: [], emails: [] }],
    },
  });
  const row = (place: number) =>
    page.elementLocator(document.querySelectorAll("tr[data-row]")[place]!);
  await expect.poll(() => document.querySelectorAll("tr[data-row] .ob-thumb").length).toBe(2);
  await keys("{ArrowDown}");
  await expect.element(row(0)).toHaveFocus();
  await keys(" ");
  await expect.element(row(0).getByRole("checkbox")).toBeChecked();
  await keys("{ArrowDown}?");
  const list = dialog("Teclas de esta página");
  await expect.element(list.getByText("Marcar el renglón")).toBeVisible();
  await expect.element(list.getByText("Agregar a esta lista")).not.toBeInTheDocument();
  await expectAccessible("the keys of a page");
  await keys("{Escape}");
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(row(1)).toHaveFocus();
  await keys("{Enter}");
  await expect.element(dialog(/^Línea/)).toBeVisible();
  // While a dialog is open, the keys of the page do nothing.
  await keys("/{Escape}");
  await expect.element(dialog(/^Línea/)).not.toBeInTheDocument();
  await expect.element(row(1)).toHaveFocus();

  // The list is filtered by the risk of being late, and more rows of it fit.
  await page.getByRole("button", { name: "Filtros", exact: true }).click();
  await page.getByRole("menuitem", { name: "Riesgo de retraso" }).click();
  await page.getByTitle("Riesgo alto").click();
  await expect.poll(() => window.location.hash).toContain("risk=high");
  const last = () => asked.findLast(({ path }) => path === "/api/sales-order/positions")?.query;
  await expect.poll(last).toMatchObject({ risk: "high" });
  expect(document.querySelectorAll("tbody .ob-forecast--high")).toHaveLength(2);

  window.location.hash = "/catalogs/customers";
  await expect.element(page.getByRole("heading", { name: "Clientes" })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Platería Norte" })).toBeVisible();
  await keys("/");
  const search = page.getByRole("searchbox");
  await expect.element(search).toHaveFocus();
  await keys("n/?");
  await expect.element(search).toHaveValue("n/?");
  await search.fill("");
  await expect.element(page.getByRole("link", { name: "Platería Norte" })).toBeVisible();
  await keys("{ArrowDown}");
  await expect.element(row(0)).toHaveFocus();
  await keys("n");
  await expect.poll(() => window.location.hash).toMatch(/record=new$/);
  await expect.element(dialog("Nuevo cliente").getByLabelText("Nombre").first()).toHaveFocus();
});

it("lines stand beside their pictures in an order and in the search, and rows can be lower", async () => {
  await showApp({
    at: "/operations/sales-orders/1",
    permissions: ["ListSalesOrders", "ListOrders"],
    answers: {
      "GET /api/sales-order/1": anOrder({ items: LINES }),
      "GET /api/sales-order/positions": LINES,
      "GET /api/search": { ...nothing, lines: LINES },
    },
  });
  const pictures = () => document.querySelectorAll("tr[data-row] .ob-thumb").length;
  await expect.poll(pictures).toBe(2);
  await openPalette();
  await field.fill("PO-1");
  const found = page.getByRole("option", { name: "línea 1" });
  await expect.poll(() => found.element().querySelector(".ob-thumb")).not.toBeNull();
  await keys("{Escape}");

  const height = () => document.querySelector("tr[data-row]")!.getBoundingClientRect().height;
  const comfortable = height();
  chooseDensity("compact");
  await expect.poll(height).toBeLessThan(comfortable - 8);
  chooseDensity("comfortable");
});

const EDITABLE = { ...aLine().actions, edit: true };
const orderOf = (status: "New" | "Approved", version: number) =>
  anOrder({
    version,
    revision: version,
    actions: { edit: true, delete: false },
    items: [1, 2].map((position) =>
      aLine({
        id: position,
        position,
        status,
        version,
        actions: { ...EDITABLE, statuses: status === "New" ? ["Approved"] : [] },
      }),
    ),
  });

it("an order is approved by one key, and no key acts while one types, scans or answers a dialog", async () => {
  let order = orderOf("New", 1);
  const asked = await showApp({
    at: "/operations/sales-orders/1",
    permissions: [
      "ListSalesOrders",
      "CreateSalesOrder",
      "UpdateSalesOrder",
      "UpdateSalesOrderPosition",
      "UpdateSalesOrderPositionStatus",
      "PrintWorkSheet",
    ],
    answers: {
      "GET /api/sales-order/1": () => order,
      "POST /api/sales-order/1/approve": () => (order = orderOf("Approved", 2)),
    },
  });
  const writes = () =>
    asked
      .filter(({ method, path }) => method !== "GET" && /approve|pdf|sheets/.test(path))
      .map(({ path }) => path);
  const verbs = () => [...document.querySelectorAll(".ob-page-title__actions button")];
  const approve = button("Aprobar orden (2 líneas)");
  await expect.element(approve).toHaveAttribute("aria-keyshortcuts", "a");
  // The next step is the first button, and the primary one. No red one stands beside it.
  expect(verbs()[0]?.textContent).toMatch(/^Aprobar orden/);
  expect(verbs().at(-1)?.getAttribute("aria-label")).toBe("Más acciones de la orden");
  expect(document.querySelector(".ob-page-title__actions .ant-btn-dangerous")).toBeNull();
  await expectAccessible("the verbs of an order");

  // In a burst, every letter has a verb.
  for (const key of "paelda?") {
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  }
  const list = dialog("Teclas de esta página");
  await expect.element(list).not.toBeInTheDocument();
  await keys("{Escape}?");
  await expect.element(list.getByText("Aprobar la orden")).toBeVisible();
  await keys("a{Escape}");
  await expect.element(list).not.toBeInTheDocument();
  await keys("e");
  const customer = dialog(/^Editar la orden/).getByLabelText("Cliente", { exact: true });
  await expect.element(customer).toHaveFocus();
  await keys("a{Escape}");
  await expect.element(customer).toHaveAttribute("aria-expanded", "false");
  await keys("{Escape}");
  await expect.element(customer).not.toBeInTheDocument();
  expect(writes()).toEqual([]);

  await keys("a");
  await expect.element(page.getByText(/: 2 líneas aprobadas$/)).toBeVisible();
  expect(writes()).toEqual(["/api/sales-order/1/approve"]);
  // Printing is next: it is where Approve was, is primary, and has the focus.
  await expect.element(approve).not.toBeInTheDocument();
  expect(verbs()[0]?.textContent).toMatch(/^Imprimir hojas/);
  await expect.poll(() => document.activeElement).toBe(verbs()[0]);
  expect(verbs()[0]?.classList).toContain("ant-btn-primary");
});
