import { expect, it } from "vitest";
import type { Found, Permission } from "@/contract";
import enCatalogs from "@/locales/en/catalogs.json";
import enReports from "@/locales/en/reports.json";
import enKeyboard from "@/locales/en/keyboard.json";
import en from "@/locales/en/shell.json";
import esCatalogs from "@/locales/es/catalogs.json";
import esReports from "@/locales/es/reports.json";
import esKeyboard from "@/locales/es/keyboard.json";
import es from "@/locales/es/shell.json";
import { calledBy, choicesOf, commandsOf, isMeant, pagesOf, recentChoices } from "./choices";

const WORDS = {
  es: { shell: es, catalogs: esCatalogs, keyboard: esKeyboard, reports: esReports },
  en: { shell: en, catalogs: enCatalogs, keyboard: enKeyboard, reports: enReports },
};
const titles = (text: string, permissions: Permission[], language: "es" | "en" = "es") =>
  calledBy(text, pagesOf(WORDS, language, permissions)).map(({ title }) => title);

it("offers the pages that a user may open, except the sign-in and pages with a parameter in their path", () => {
  expect(titles("", [])).toEqual([
    "Inicio",
    "Aviso de privacidad",
    "Maneras de entrar",
    "Mis avisos",
  ]);
  const held: Permission[] = ["ListUsers", "ListSalesOrders", "ListCustomers", "CreateCustomer"];
  expect(titles("nueva orden", held)).toEqual([]);
  held.push("CreateSalesOrder");
  // Pages for daily use come first.
  expect(pagesOf(WORDS, "es", held).map(({ to }) => to)).toEqual([
    "/home",
    "/operations/sales-orders",
    "/operations/sales-orders/new",
    "/catalogs/customers",
    "/catalogs/lists",
    "/catalogs/customers/import",
    "/catalogs/customers?record=new",
    "/administration/users",
    "/privacy",
    "/account/ways",
    "/account/calendar",
    "/account/notices",
  ]);
});

it("tells what makes something new from the other pages", () => {
  const held: Permission[] = ["ListSalesOrders", "CreateSalesOrder", "ListCustomers"];
  held.push("CreateCustomer", "CreateDelivery");
  const makes = pagesOf(WORDS, "es", held).filter(({ kind }) => kind === "makes");
  expect(makes.map(({ title }) => title)).toEqual([
    "Nueva orden de venta",
    "Nueva factura",
    "Nuevo cliente",
  ]);
});

it("finds a page by the words of both languages, in any order, without accents", () => {
  const held: Permission[] = ["ListSalesOrders", "ListCustomers", "CreateCustomer"];
  held.push("CreateSalesOrder");
  expect(titles("orden nueva", held)).toEqual(["Nueva orden de venta"]);
  expect(titles("NEW order", held)).toEqual(["Nueva orden de venta"]);
  expect(titles("new order", held, "en")).toEqual(["New sales order"]);
  expect(titles("importar clientes", held)).toEqual(["Clientes · Importar"]);
  expect(titles("catalogos clientes", held)).toEqual(["Clientes"]);
  expect(titles("customer new", held)).toEqual(["Nuevo cliente"]);
  expect(titles("Clientes · Importar", held)).toEqual(["Clientes · Importar"]);
  expect(titles("<img", held)).toEqual([]);
  expect(titles("·", held)).toEqual([]);
  expect(titles("lientes", held)).toEqual([]);
});

it("offers the stations of the user's processes", () => {
  const process = {
    productionProcessId: 4,
    productionProcessName: "Fundición",
    linesInside: 0,
    lateLinesInside: 0,
    piecesInside: 0,
  };
  const pages = pagesOf(WORDS, "es", ["Station"], [{ process, title: "Estación: Fundición" }]);
  expect(calledBy("station fundicion", pages).map(({ to }) => to)).toEqual([
    "/shop-floor/station/4",
  ]);
  expect(pages.map(({ to }) => to)).toEqual([
    "/home",
    "/shop-floor/station/4",
    "/privacy",
    "/account/ways",
    "/account/notices",
  ]);
});

it("offers what can be run on the page, in both languages, and not what needs the focus elsewhere", () => {
  const press = () => undefined;
  const commands = commandsOf(WORDS, "es", [
    { does: "signOut", press },
    { does: "palette", key: "Control+k" },
    { does: "rows", key: "ArrowDown", from: "main", press },
    { does: "saved", key: "g", press },
    { does: "approve", key: "a", press },
  ]);
  expect(commands.map(({ title, letter, to }) => [title, letter, to])).toEqual([
    ["Aprobar la orden", "a", press],
    ["Cerrar sesión", undefined, press],
  ]);
  expect(calledBy("log out", commands).map(({ title }) => title)).toEqual(["Cerrar sesión"]);
});

it("offers the records that were opened last, except those that are forbidden now", () => {
  const words = { line: (po: string, position: number) => `${po} · ${position}`, kind: String };
  const recent = [
    { kind: "order", path: "/operations/sales-orders/7", name: "PO-7" },
    {
      kind: "line",
      path: "/operations/sales-order/7/position/2",
      name: "PO-7",
      position: 2,
    },
    { kind: "customer", path: "/catalogs/customers?record=3", name: "Luz" },
    { kind: "bill", path: "/reports/bills/4", name: "F-0004" },
  ] as const;
  const offered = (...permissions: Permission[]) =>
    recentChoices(recent, permissions, words).map(({ title, note }) => `${title} ${note}`);
  expect(offered("ListSalesOrders", "ListCustomers")).toEqual([
    "PO-7 order",
    "PO-7 · 2 line",
    "Luz customer",
  ]);
  expect(offered("ReportListBills")).toEqual(["F-0004 bill"]);
});

const FOUND: Found = {
  orders: [{ id: 7, customerSalesOrderId: "PO-7", customerName: "Luz", status: "New" }],
  lines: [
    {
      salesOrderId: 7,
      position: 2,
      customerSalesOrderId: "PO-7",
      customerName: "Luz",
      itemName: "<img src=x>",
      itemNameEnglish: "",
      id: 11,
      status: "Approved",
      quantity: 10,
      quantityBilled: 0,
      quantityGood: 10,
      inside: [],
      waiting: [],
      standing: {
        kind: "notStarted",
        processes: [],
        nextProcesses: [],
        hereSince: null,
        lateDays: 0,
      },
      thumbnail: "/images/line",
    },
  ],
  customers: [{ id: 3, name: "Luz" }],
  products: [{ id: 5, key: "K-5", name: "Anillo", nameEnglish: "", thumbnail: null }],
};
const FOUND_WORDS = {
  line: (po: string, position: number) => `${po} · ${position}`,
  shortCode: (code: string) => `Código corto ${code}`,
  standing: () => "Sin empezar",
};
const opened = (permissions: Permission[], text = "luz") =>
  choicesOf(text, FOUND, permissions, FOUND_WORDS).map(({ to }) => to);

it("offers only the search results that the user may open", () => {
  expect(opened(["ListSalesOrders", "ListCustomers", "ListItems"])).toEqual([
    "/operations/sales-orders/7",
    "/operations/sales-order/7/position/2",
    "/catalogs/customers?record=3",
    "/catalogs/products?record=5",
  ]);
  // A user with ListOrders alone may not open the page of an order.
  expect(opened(["ListOrders"])).toEqual(["/operations/sales-order/7/position/2"]);
  expect(opened([])).toEqual([]);
});

it("shows the pictures of lines and products, and a place for a missing one", () => {
  const held: Permission[] = ["ListSalesOrders", "ListCustomers", "ListItems"];
  const shown = choicesOf("luz", FOUND, held, FOUND_WORDS).map(({ picture }) => picture);
  expect(shown).toEqual([undefined, "/images/line", undefined, null]);
});

it("puts the line before its order if its PO# and position were typed", () => {
  for (const text of ["po-7 2", "2 PO-7", "PO-7-2", "PO-7 · 2", "po 7 l2", "PO-7 · Línea 2"]) {
    expect(opened(["ListSalesOrders"], text)[0]).toBe("/operations/sales-order/7/position/2");
  }
  expect(opened(["ListSalesOrders"], "PO-7")[0]).toBe("/operations/sales-orders/7");
});

it("puts the line of a short code first, and notes the code", () => {
  const [line] = FOUND.lines;
  const found = { ...FOUND, lines: [{ ...line!, shortCode: "7-2" }, line!] };
  const [first, second] = choicesOf("7-2", found, ["ListSalesOrders"], FOUND_WORDS);
  expect(first).toMatchObject({
    kind: "lines",
    note: "Código corto 7-2 · Sin empezar · <img src=x> · Luz",
  });
  expect(isMeant("7-2", first!)).toBe(true);
  expect(second?.note).toBe("Sin empezar · <img src=x> · Luz");
});

it("does not open another line without confirmation for a text that looks like a short code", () => {
  const [first] = choicesOf("26107-2", FOUND, ["ListOrders"], FOUND_WORDS);
  expect(isMeant("26107-2", first!)).toBe(false);
  expect(isMeant("26107 2", first!)).toBe(true);
  const [named] = choicesOf("PO-7-2", FOUND, ["ListOrders"], FOUND_WORDS);
  expect(isMeant("PO-7-2", named!)).toBe(true);
});
