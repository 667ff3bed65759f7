import { expect, it } from "vitest";
import { page, userEvent, type Locator } from "vitest/browser";
import { open, showApp } from "@/testing/app";
import { expectAccessible } from "@/testing/looks";
import { aLine, anOrder, anUndo, aRecord, someInside } from "@/testing/lines";
import { unmountAll } from "@/testing/mount";

const LINE = "/operations/sales-orders/1/position/1";
const AT = `/api/sales-order/1/position/1`;
const PERMISSIONS = [
  "ListSalesOrders",
  "ListOrders",
  "UpdateSalesOrderPositionStatus",
  "SalesOrderPositionProcessIn",
  "SalesOrderPositionProcessOut",
] as const;
const WHERE = { productionProcessId: 2, productionProcessName: "Vaciado", weighs: "no" as const };
const NEW = aLine({
  status: "New",
  quantity: 5,
  actions: { ...aLine().actions, statuses: ["Approved", "Canceled"] },
});
const APPROVED = aLine({
  quantity: 5,
  actions: {
    ...aLine().actions,
    statuses: ["New", "Canceled"],
    movements: [{ ...WHERE, type: "in", maxQuantity: 5 }],
  },
});
const INSIDE = aLine({
  quantity: 18,
  quantityInside: 18,
  status: "InProcess",
  inside: [someInside({ quantity: 18 })],
  productionProcesses: [aRecord()],
  actions: {
    ...aLine().actions,
    statuses: ["Done", "Canceled"],
    movements: [{ ...WHERE, type: "out", maxQuantity: 18 }],
    undo: [{ ...anUndo(), until: "2099-01-01T00:00:00Z" }],
  },
});

const focus = (what: Locator) => (what.element() as HTMLElement).focus();
const popup = () => page.getByRole("dialog");
const choice = (name: string) => popup().getByRole("button", { name });

it("is approved and moved into a process by keyboard", async () => {
  let line = NEW;
  const asked = await showApp({
    at: `${LINE}/a`,
    permissions: PERMISSIONS,
    answers: {
      "GET /api/sales-order/1/position/1": () => line,
      "GET /api/sales-order/1": () => anOrder({ items: [line] }),
      [`PUT ${AT}/update-status/Approved`]: () => (line = APPROVED),
      [`PUT ${AT}/production-process/in`]: () => (line = INSIDE),
    },
  });
  const status = page.getByRole("button", { name: /^Estado: Nuevo/ });
  await expect.element(status).toBeVisible();
  focus(status);
  await userEvent.keyboard("{Enter}");
  await expect.element(choice("Aprobada")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(popup()).not.toBeInTheDocument();
  // A closed dialog returns the focus to the button that opened it.
  await expect.element(status).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(choice("Aprobada")).toBeVisible();
  focus(choice("Aprobada"));
  await userEvent.keyboard("{Enter}");
  await expect.element(choice("Aceptar")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(popup()).not.toBeInTheDocument();
  const enter = page.getByRole("button", { name: "Meter 5 a Vaciado" });
  focus(enter);
  await userEvent.keyboard("{Enter}");
  await expect.element(choice("Vaciado")).toBeVisible();
  focus(choice("Vaciado"));
  await userEvent.keyboard("{Enter}");
  await expect.element(choice("Meter 5 piezas a Vaciado")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => line).toBe(INSIDE);
  const writes = asked.filter(({ method }) => method === "PUT");
  expect(writes.map(({ path }) => path)).toEqual([
    `${AT}/update-status/Approved`,
    `${AT}/production-process/in`,
  ]);
});

const RELEASABLE = aLine({
  quantity: 18,
  status: "InProcess",
  quantityAvailable: 18,
  actions: {
    ...aLine().actions,
    statuses: ["Done", "Canceled"],
    release: [
      {
        productionProcessId: 2,
        productionProcessName: "Vaciado",
        recordId: 500,
        side: "out",
        quantity: 18,
      },
    ],
  },
});

it("has its buttons in one row, the seldom ones below «Más», and tells before it offers on a phone", async () => {
  const checking = { ...WHERE, productionProcessName: "Control de calidad" };
  const moving = aLine({
    ...INSIDE,
    actions: {
      ...INSIDE.actions,
      movements: [
        { ...checking, type: "out", maxQuantity: 18 },
        { ...checking, type: "in", maxQuantity: 12 },
      ],
      scrap: [{ ...checking, type: "out", maxQuantity: 18 }],
    },
  });
  await showApp({
    at: `${LINE}/a`,
    permissions: [...PERMISSIONS, "PrintWorkSheet", "ScrapPieces"],
    answers: {
      "GET /api/sales-order/1/position/1": moving,
      "GET /api/sales-order/1": anOrder({ items: [moving] }),
    },
  });
  const article = page.getByRole("article");
  const names = ["Sacar 18 de", "Meter 12 a", "Deshacer", "Generar PDF", "Ver historial"];
  const buttons = [...names, "Liberar proceso", "Más", "Cerrar"].map((name) =>
    article.getByRole("button", { name }).first(),
  );
  await expect.element(buttons[0]!).toBeVisible();
  const sheet = () => document.querySelector(".ob-line__body")!.getBoundingClientRect().top;
  for (const width of [1440, 1366, 1280]) {
    // oxlint-disable no-await-in-loop -- one width after the other
    await page.viewport(width, 800);
    const tops = buttons.map((button) => Math.round(button.element().getBoundingClientRect().top));
    expect(new Set(tops).size, `at ${width}: ${tops.join()}`).toBe(1);
    expect(sheet(), `at ${width}`).toBeLessThan(240);
    // oxlint-enable no-await-in-loop
  }
  await page.getByRole("button", { name: "Más", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Etiquetas" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Dar de baja piezas" })).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await page.viewport(390, 844);
  await expect
    .poll(() => buttons[3]!.element().getBoundingClientRect().top)
    .toBeGreaterThan(sheet());
  expect(buttons[0]!.element().getBoundingClientRect().top).toBeLessThan(sheet());
});

it("says on its sheet how many pieces are left after scrap", async () => {
  const scrapped = aLine({ quantity: 10, quantityScrapped: 4, quantityGood: 6 });
  await showApp({
    at: `${LINE}/a`,
    permissions: PERMISSIONS,
    answers: {
      "GET /api/sales-order/1/position/1": scrapped,
      "GET /api/sales-order/1": anOrder({ items: [scrapped] }),
    },
  });
  const quantity = page.getByRole("definition").filter({ hasText: "6 de 10" });
  await expect.element(quantity).toBeVisible();
});

it("says nothing of what comes next, of a forecast or of metal for a finished line, whose metal has left it", async () => {
  const done = aLine({
    metalGrams: 0,
    status: "Done",
    lastProductionProcess: WHERE,
    standing: { ...aLine().standing, kind: "done" },
    forecastWhy: "finished",
  });
  await showApp({
    at: `${LINE}/a`,
    permissions: PERMISSIONS,
    answers: {
      "GET /api/sales-order/1/position/1": done,
      "GET /api/sales-order/1": anOrder({ items: [done] }),
    },
  });
  await expect.element(page.getByText("Terminada, por facturar")).toBeVisible();
  const told = document.querySelector(".ob-line__head")!.textContent;
  for (const word of ["Entrar", "Pronóstico", "Por qué"]) expect(told).not.toContain(word);
  await expect
    .element(page.getByRole("term").filter({ hasText: "Cantidad" }).first())
    .toBeVisible();
  expect(page.getByRole("term").filter({ hasText: "Metal" }).elements()).toHaveLength(0);
});

it("is finished once its good pieces have been through all processes, on its page and on its order", async () => {
  const through = (position: number) =>
    aLine({
      id: position,
      position,
      status: "InProcess",
      standing: { ...aLine().standing, kind: "waiting", nextProcesses: [] },
      actions: {
        ...aLine().actions,
        statuses: ["Done", "Canceled"],
        movements: [{ ...WHERE, type: "in", maxQuantity: 5 }],
      },
    });
  const scrapped = aLine({
    id: 3,
    position: 3,
    status: "InProcess",
    standing: { ...aLine().standing, kind: "scrapped", nextProcesses: [] },
    actions: { ...aLine().actions, statuses: ["Done", "Canceled"] },
  });
  const lines = new Map([through(1), through(2), scrapped].map((line) => [line.position, line]));
  const finishes = (position: number) => () => {
    const done = aLine({ id: position, position, status: "Done", attention: ["toBill"] });
    lines.set(position, done);
    return done;
  };
  const asked = await showApp({
    at: `${LINE}/a`,
    permissions: [...PERMISSIONS, "CreateDelivery"],
    answers: {
      "GET /api/sales-order/1/position/1": () => lines.get(1),
      "GET /api/sales-order/1": () => anOrder({ items: [...lines.values()] }),
      ...Object.fromEntries(
        [1, 2].map((position) => [
          `PUT /api/sales-order/1/position/${position}/update-status/Done`,
          finishes(position),
        ]),
      ),
    },
  });
  const finish = page.getByRole("button", { name: "Terminar", exact: true });
  await expect.element(finish).toHaveAttribute("aria-keyshortcuts", "f");
  expect(finish.element().classList).toContain("ant-btn-primary");

  await open("/operations/sales-orders/1");
  const all = page.getByRole("button", { name: "Terminar 2 líneas" });
  await expect.element(all).toBeVisible();
  expect(all.element().classList).toContain("ant-btn-primary");
  const offered = [1, 2, 3].map((each) =>
    page.getByRole("button", { name: `Terminar la línea ${each}` }).elements(),
  );
  expect(offered.map(({ length }) => length)).toEqual([1, 1, 0]);
  await all.click();
  await expect.element(page.getByText(/: 2 líneas terminadas$/)).toBeVisible();
  await expect
    .element(page.getByRole("button", { name: "Facturar 2 líneas" }))
    .toHaveClass("ant-btn-primary");
  const writes = asked.filter(({ method }) => method === "PUT").map(({ path }) => path);
  expect(writes.map((path) => path.split("/").slice(-3).join(" "))).toEqual([
    "1 update-status Done",
    "2 update-status Done",
  ]);
});

it("leads from a finished line to a bill with its customer and itself", async () => {
  const done = aLine({ status: "Done", customerId: 7, attention: ["toBill"] });
  await showApp({
    at: `${LINE}/a`,
    permissions: [...PERMISSIONS, "CreateDelivery"],
    answers: {
      "GET /api/sales-order/1/position/1": done,
      "GET /api/sales-order/1": anOrder({ items: [done] }),
      "GET /api/deliveries/billable": [],
    },
  });
  await page.getByRole("button", { name: "Facturar 1 línea" }).click();
  await expect.poll(() => location.href).toContain("/reports/bills/new?customerId=7&lines=1-1");
});

it("says what cannot be opened, fits its popups into 18vw, and is closed where it was opened", async () => {
  await showApp({
    at: `${LINE}/a`,
    permissions: ["ListSalesOrders", "ListOrders", "SalesOrderPositionRecord"],
    answers: {
      "GET /api/sales-order/1/position/1": RELEASABLE,
      "GET /api/sales-order/1": anOrder({ items: [RELEASABLE] }),
    },
  });
  const said = async (text: string) => {
    await expect.element(page.getByText(text)).toBeVisible();
  };
  await page.getByRole("button", { name: "Ver historial" }).click();
  await said("La línea no tiene procesos registrados");
  await page.getByRole("button", { name: /Cambiar proceso$/ }).click();
  await said("No tiene permisos para realizar esta acción.");
  await expect.element(popup()).not.toBeInTheDocument();

  const isFit = async (width: number) => {
    const box = document.querySelector<HTMLElement>(".ob-popup .ant-modal-container")!;
    const wide = width >= 1280 ? 0.18 * width : 320;
    await expect.poll(() => box.getBoundingClientRect().width).toBeCloseTo(wide, 0);
    const cut = [...box.querySelectorAll("button, p, .ant-modal-title")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent);
    expect(cut, `at ${width}`).toEqual([]);
  };
  const closed = async () => {
    await choice("Cerrar").click();
    await expect.element(popup()).not.toBeInTheDocument();
  };
  for (const width of [1440, 1280, 1279, 390]) {
    // oxlint-disable no-await-in-loop -- one width after the other
    await page.viewport(width, 844);
    await page.getByRole("button", { name: /^Estado:/ }).click();
    await expect.element(choice("Cancelada")).toBeVisible();
    await isFit(width);
    await choice("Cancelada").click();
    await isFit(width);
    await closed();
    await page.getByRole("button", { name: "Liberar proceso" }).click();
    await choice("Vaciado").click();
    await isFit(width);
    await closed();
    // oxlint-enable no-await-in-loop
  }

  await page.viewport(1440, 900);
  const article = page.getByRole("article");
  const closesTo = async (path: string) => {
    await article.getByRole("button", { name: "Cerrar" }).click();
    await expect.poll(() => window.location.hash).toBe(`#${path}`);
  };
  await closesTo("/operations/sales-orders/1");
  await open(LINE);
  await closesTo("/operations/orders");
  await open("/operations/sales-orders/1?line=1");
  await expect.element(article).toBeVisible();
  const modal = () => {
    const box = document.querySelector(".ob-line-modal .ant-modal-container")!;
    const { width, height } = box.getBoundingClientRect();
    return [Math.round(width), Math.round(height)];
  };
  await expect.poll(modal).toEqual([Math.round(0.98 * 1440), Math.round(0.98 * 900)]);
  window.history.back();
  await expect.element(article).not.toBeInTheDocument();
});

it("keeps what was typed for a movement over a reload, and drops it when its popup is closed", async () => {
  const shown = {
    at: `${LINE}/a`,
    permissions: PERMISSIONS,
    answers: {
      "GET /api/sales-order/1/position/1": INSIDE,
      "GET /api/sales-order/1": anOrder({ items: [INSIDE] }),
      [`PUT ${AT}/production-process/out`]: APPROVED,
      "GET /api/work-sheets/1/position/1": { companyName: "Obrador", logo: null, code: "B" },
    },
  };
  await showApp(shown);
  const leave = page.getByRole("button", { name: "Sacar 18 de Vaciado" });
  const pieces = popup().getByRole("textbox", { name: /^Piezas/ });
  const notes = page.getByLabelText("Notas");
  await leave.click();
  await choice("Vaciado").click();
  await expect.element(pieces).toHaveValue("18");
  await pieces.fill("25");
  await expect.element(popup().getByRole("alert")).toMatchTextContent("Solo hay 18 dentro");
  await expectAccessible("a wrong number");
  await pieces.fill("5");
  await notes.fill("Con prisa");

  unmountAll();
  const asked = await showApp(shown);
  await leave.click();
  await expect.element(popup().getByRole("status")).toMatchTextContent("Recuperamos");
  await expect.element(pieces).toHaveValue("5");
  await expect.element(notes).toHaveValue("Con prisa");
  await choice("Cerrar").click();
  await leave.click();
  await choice("Vaciado").click();
  await expect.element(pieces).toHaveValue("18");

  await pieces.fill("7");
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(pieces).toHaveValue("7");
  await choice("Todas (18)").click();
  await expect.element(pieces).toHaveValue("18");
  await pieces.fill("7");
  await choice("Sacar 7 piezas de Vaciado").click();
  await expect.element(page.getByText("7 piezas fuera de Vaciado")).toBeVisible();
  const isMove = ({ method }: { method: string }) => method === "PUT";
  expect(asked.filter(isMove).map(({ body }) => body)).toEqual([
    { productionProcessId: 2, quantity: 7, notes: "" },
  ]);
});

it("undoes its last movement from its order, after a question", async () => {
  let line = INSIDE;
  const asked = await showApp({
    at: "/operations/sales-orders/1",
    permissions: PERMISSIONS,
    answers: {
      "GET /api/sales-order/1": () => anOrder({ items: [line] }),
      "GET /api/sales-order/1/position/1": () => line,
      [`POST ${AT}/records/500/undo`]: () => (line = APPROVED),
    },
  });
  const undo = page.getByRole("button", { name: "Deshacer su último movimiento, línea 1" });
  await undo.click();
  await expect.element(popup()).toMatchTextContent("¿Deshacer la entrada de 10 piezas a Vaciado?");
  await expectAccessible("undo, asked");
  expect(asked.some(({ path }) => path.endsWith("/undo"))).toBe(false);
  await choice("Aceptar").click();
  await expect
    .element(page.getByText("Se deshizo la entrada de 10 piezas a Vaciado"))
    .toBeVisible();
  await expect.element(page.getByRole("row", { name: /Aprobada/ })).toBeVisible();
  await expect.element(undo).not.toBeInTheDocument();
  expect(asked.find(({ path }) => path.endsWith("/undo"))?.query).toEqual({ side: "in" });
});

const OF_SHEET = { linesCount: 1, companyName: "Huixteco", logo: null, code: "B" };
const NAMED = aLine({
  quinto: "NL",
  lastProductionProcess: { productionProcessId: 2, productionProcessName: "Vaciado" },
  itemName: "Anillo Violeta",
  itemNameEnglish: "Violet ring",
  components: [
    {
      componentId: 1,
      componentName: "Aro",
      componentNameEnglish: "Band",
      materialId: 2,
      materialName: "Plata .925",
      materialNameEnglish: "Silver .925",
      materialDescription: "Plata de ley",
      materialDescriptionEnglish: "Sterling silver",
      notes: "",
    },
  ],
});

it("says in English to a customer what it is made of, without what serves the workshop alone", async () => {
  const shown = {
    at: LINE,
    permissions: ["ListSalesOrders", "PrintWorkSheet"] as const,
    language: "en" as const,
    answers: {
      "GET /api/sales-order/1/position/1": NAMED,
      "GET /api/sales-order/1": anOrder({ items: [NAMED] }),
      "GET /api/work-sheets/1/position/1": OF_SHEET,
      "GET /api/customer-page/workshop": { name: "Huixteco", logo: null },
    },
  };
  await showApp({ ...shown, user: { userType: "Customer", customerId: 1 } });
  const row = page.getByRole("row").filter({ hasText: "Band" });
  await expect.element(row).toMatchTextContent("BandSilver .925Sterling silver");
  // The head of the page, and the browser's tab, name the workshop and not the product.
  const brand = page.getByRole("banner").getByRole("link");
  await expect.element(brand).toMatchTextContent("Huixteco");
  await expect.poll(() => document.title).toContain("· Huixteco");
  expect(page.getByLabelText("Code of the work sheet").query()).toBeNull();
  expect(page.getByText("Quinto").query()).toBeNull();
  expect(page.getByText(/^Outside · /).query()).toBeNull();
  await open("/operations/sales-orders/1");
  await expect.element(page.getByText("Violet ring")).toBeVisible();
  expect(page.getByRole("button", { name: /^Print/ }).query()).toBeNull();

  unmountAll();
  await showApp(shown);
  await expect.element(page.getByLabelText("Code of the work sheet")).toBeVisible();
  await expect.element(page.getByText("Quinto")).toBeVisible();
  await expect.element(page.getByText(/^Outside · last: /)).toBeVisible();
  await expect.element(brand).toMatchTextContent("Obrador");
});

it("opens at its top in a list on a phone, though all of its buttons stand at its end", async () => {
  const line = aLine({ status: "Invoiced", quantityBilled: 5, quantity: 5, forecast: null });
  await showApp({
    at: "/operations/sales-orders/1",
    permissions: [...PERMISSIONS, "PrintWorkSheet", "SalesOrderPositionRecord"],
    size: [390, 844],
    answers: {
      "GET /api/sales-order/1/position/1": line,
      "GET /api/sales-order/1": anOrder({ items: [line] }),
    },
  });
  await page.getByRole("link", { name: line.itemName }).click();
  await expect.element(popup().getByRole("button", { name: "Generar PDF" })).toBeInTheDocument();
  await expect.poll(() => popup().element().contains(document.activeElement)).toBe(true);
  expect(popup().element().querySelector(".ant-modal-body")!.scrollTop).toBe(0);
});
