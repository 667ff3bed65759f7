import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { App } from "@/app/App";
import { showApp } from "@/testing/app";
import { expectAccessible, expectGood, expectWithin } from "@/testing/looks";
import { mount, unmountAll } from "@/testing/mount";

const PHONE = [390, 844] as const;
const NO_LINES = { count: 0, lines: [] };
const OWN = { productionProcessId: 1, productionProcessName: "Cera" };
const STEPS = ["company", "processes", "roles", "people", "customers", "products", "order"];
const ANSWERS = {
  "GET /api/reports/today": {
    called: NO_LINES,
    late: NO_LINES,
    likelyLate: NO_LINES,
    dueThisWeek: NO_LINES,
    insideOverADay: NO_LINES,
    toApprove: null,
    toBill: null,
  },
  "GET /api/metal/mine": { accounts: [], days: [] },
  "GET /api/reports/scrap/mine": { pieces: 0, reasons: [] },
  "GET /api/shop-floor/own": [{ ...OWN, piecesInside: 3, linesInside: 1, lateLinesInside: 0 }],
};
const EARNED = { today: 0, week: 0, open: 0, paid: 0, unweighed: 0, currency: "MXN" };
const EARNINGS = "GET /api/sales-order/positions/production-processes/earnings";

async function shown(text: string): Promise<void> {
  await expect.element(page.getByText(text)).toBeVisible();
}
const tours = () => document.querySelectorAll(".ob-tour").length;
const inTour = (selector: string) =>
  page.elementLocator(document.querySelector(`.ob-tour ${selector}`)!);

async function fromMenu(name: string): Promise<void> {
  await page.getByRole("button", { name: "Ana Ruiz" }).click();
  await page.getByRole("menuitem", { name }).click();
}

/** As after a reload of the page. */
function reload(): void {
  unmountAll();
  mount(<App />);
}

it("the tour is offered once, can be left at any step, and starts again from the menu", async () => {
  await showApp({
    at: "/home",
    permissions: ["CreateDelivery", "ListSalesOrders"],
    answers: { ...ANSWERS, [EARNINGS]: EARNED, "GET /api/sales-order": [] },
  });
  localStorage.removeItem("tour7");
  reload();
  const offer = page.getByRole("complementary", { name: "Recorrido" });
  await offer.getByRole("button", { name: "Ver el recorrido" }).click();
  await shown("La oficina en un minuto");
  await shown("1 de 6");
  await userEvent.keyboard("{Enter}");
  await shown("2 de 6");
  await page.getByRole("button", { name: "Salir" }).last().click();
  await expect.poll(tours).toBe(0);
  reload();
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(offer).not.toBeInTheDocument();
  await fromMenu("Ver el recorrido");
  await shown("1 de 6");
  await shown("La oficina en un minuto");
  expect(page.getByRole("link", { name: "Abrir esa página" }).elements()).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await page.getByRole("link", { name: "Abrir esa página" }).click();
  await expect.poll(() => window.location.hash).toBe("#/operations/sales-orders");
  await expect.poll(tours).toBe(0);
});

it("a worker, who sees no overview of the office, takes the whole tour on a phone, and reads the help", async () => {
  await showApp({
    at: "/home",
    permissions: ["Station"],
    answers: { ...ANSWERS, [EARNINGS]: EARNED },
    language: "en",
    size: PHONE,
  });
  await expect.element(page.getByRole("link", { name: "Open the station of Cera" })).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Today" })).not.toBeInTheDocument();
  await expectAccessible("a worker's home");
  await fromMenu("See the tour");
  for (let step = 1; step <= 7; step += 1) {
    // oxlint-disable no-await-in-loop -- one step after the other
    await shown(`${step} of 7`);
    const panel = document.querySelector(".ant-tour-panel, .ant-tour-section")!;
    const { left, right } = panel.getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(PHONE[0]);
    await (step === 1 ? expectGood("the tour") : expectWithin(`the tour, step ${step}`));
    await inTour(".ant-btn-primary").click();
    // oxlint-enable no-await-in-loop
  }
  await expect.poll(tours).toBe(0);

  await fromMenu("Help with this page");
  const help = page.getByRole("dialog", { name: /^Help: / });
  await expect.element(help).toBeVisible();
  await expectGood("the help");
  await help.getByRole("button", { name: "See the tour" }).click();
  await shown("1 of 7");
});

it("a new installation lists what to set up, each a link, until it is hidden", async () => {
  let done = ["company"];
  await showApp({
    at: "/dashboard", // without an order, home is the first page
    permissions: ["UpdateRole", "CreateCompany", "ListCompanies", "ListRoles", "Dashboard"],
    answers: {
      ...ANSWERS,
      [EARNINGS]: EARNED,
      "GET /api/companies": [],
      "GET /api/identity/roles": [],
      "POST /api/companies": { id: 1, name: "Platería Rosa", version: 1 },
      "GET /api/start": () => ({
        steps: STEPS.map((name) => ({ name, done: done.includes(name) })),
        sample: "offered",
        sampleHolds: null,
        demo: null,
      }),
    },
  });
  const list = page.getByRole("region", { name: "Prepare su taller" });
  const load = list.getByRole("button", { name: "Cargar el taller de ejemplo" });
  await expect.element(list.getByText("1 de 7 listos")).toBeVisible();
  await expect.element(load).toBeVisible();
  await list.getByRole("button", { name: "Empezar vacío" }).click();
  await expect.element(load).not.toBeInTheDocument();
  await expectAccessible("the first day");

  await list.getByRole("link", { name: "Su empresa" }).click();
  const company = page.getByRole("dialog", { name: "Nueva empresa" });
  await company.getByLabelText("Nombre", { exact: true }).fill("Platería Rosa");
  done = ["company", "processes"];
  await company.getByRole("button", { name: "Guardar" }).click();
  const next = page.getByRole("link", { name: "Siguiente: Roles" });
  await expect.element(next).toHaveAttribute("href", "#/administration/roles");
  window.location.hash = "/home";
  await expect.element(list.getByText("2 de 7 listos")).toBeVisible();
  await list.getByRole("button", { name: "Ocultar la lista" }).click();
  await expect.element(list).not.toBeInTheDocument();
  reload();
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(list).not.toBeInTheDocument();
});

it("the sample workshop is loaded, and removed again after a question that says what goes", async () => {
  localStorage.removeItem("start:7"); // another journey has hidden the list
  let state: "offered" | "loading" | "loaded" = "offered";
  let times = 0;
  const holds = { orders: 30, products: 40, customers: 6, processes: 12, people: 8 };
  const answer = () => ({
    steps: STEPS.map((name) => ({ name, done: name !== "people" && state === "loaded" })),
    sample: state,
    sampleHolds: state === "loaded" ? holds : null,
    demo: null,
  });
  await showApp({
    at: "/home",
    permissions: ["UpdateRole"],
    answers: {
      ...ANSWERS,
      [EARNINGS]: EARNED,
      "GET /api/start": () => {
        if (state === "loading" && ++times === 4) state = "loaded"; // the page asks again and again
        return answer();
      },
      "POST /api/start/sample": () => {
        state = "loading";
        return answer();
      },
      "DELETE /api/start/sample": () => {
        state = "offered";
        return answer();
      },
    },
  });
  await page.getByRole("button", { name: "Cargar el taller de ejemplo" }).click();
  await page.getByRole("button", { name: "Sí, cargarlo" }).click();
  await shown("El taller de ejemplo está listo");
  await page.getByRole("button", { name: "Quitar el taller de ejemplo" }).click();
  await shown("Se van 30 órdenes, 40 productos, 6 clientes, 12 procesos y 8 personas");
  await expectAccessible("the question before the sample goes");
  await page.getByRole("button", { name: "Sí, quitarlo" }).click();
  await shown("Se quitó el taller de ejemplo");
  await expect
    .element(page.getByRole("button", { name: "Cargar el taller de ejemplo" }))
    .toBeVisible();
});

it("the sign-in of the demo leads to its three doors, and its people move while one looks", async () => {
  localStorage.removeItem("start:7"); // another journey has hidden the list
  let movingUntil: string | null = null;
  const answer = () => ({
    steps: STEPS.map((name) => ({ name, done: true })),
    sample: null,
    sampleHolds: null,
    demo: { customerId: 4, movingUntil },
  });
  const asked = await showApp({
    at: "/login",
    permissions: ["Dashboard", "UpdateRole", "ShopFloor", "Station", "ManageCustomerLinks"],
    answers: {
      ...ANSWERS,
      [EARNINGS]: EARNED,
      "GET /api/start": answer,
      "PUT /api/start/demo-people": () => {
        movingUntil = movingUntil === null ? "2026-03-13T12:10:00Z" : null;
        return answer();
      },
    },
    language: "en",
  });
  const doors = page.getByRole("region", { name: "See it in a minute" });
  const wall = doors.getByRole("link", { name: "The wall, live" });
  await expect.element(wall).toHaveAttribute("href", "#/shop-floor");
  const station = doors.getByRole("link", { name: "A station: touch and move" });
  await expect
    .element(station)
    .toHaveAttribute("href", `#/shop-floor/station/${OWN.productionProcessId}`);
  await expect
    .element(doors.getByRole("button", { name: "What your customer sees" }))
    .toBeVisible();
  const moves = doors.getByRole("switch", { name: "Set the workshop in motion" });
  await expect.element(moves).not.toBeChecked();
  await moves.click();
  await expect.element(moves).toBeChecked();
  await moves.click();
  await expect.element(moves).not.toBeChecked();
  expect(
    asked.filter(({ path }) => path === "/api/start/demo-people").map(({ body }) => body),
  ).toEqual([{ move: true }, { move: false }]);
  await expectAccessible("the doors of the demo");
  reload();
  await expect.element(doors).toBeVisible();
});
