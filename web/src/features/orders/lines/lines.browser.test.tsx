import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { open, showApp } from "@/testing/app";
import { aLine, someInside } from "@/testing/lines";
import { expectAccessible, expectGood, expectWithin } from "@/testing/looks";
import { Refused, type Asked } from "@/testing/pages";

/** How far each layout shift moved the page. */
const movesIn = (entries: PerformanceEntryList) =>
  entries.map((entry) => ("value" in entry ? Number(entry.value) : 0));

const LIST = "/operations/orders";
const OFFERS = { ...aLine().offers, statuses: ["Approved", "Canceled"] };
/** A sentence and names of more than two lines in their columns. */
const LONG = {
  status: "InProcess",
  standing: { ...aLine().standing, kind: "inside" },
  itemName: "Anillo Bugambilia de plata con amatista tallada en cojín y baño de rodio",
  customerName: "Nordlicht Schmuck und Uhren Handelsgesellschaft",
  inside: [2, 3, 4].map((id) =>
    someInside({ productionProcessId: id, by: "María Guadalupe Nava Ortiz" }),
  ),
} as const;
const LINES = Array.from({ length: 30 }, (_, place) =>
  aLine({
    id: place + 1,
    position: place + 1,
    customerSalesOrderId: "E2E-LARGA-17",
    status: "New",
    late: place === 0,
    standing: { ...aLine().standing, lateDays: place === 0 ? 4 : 0 },
    offers: OFFERS,
    ...(place % 3 === 1 ? LONG : {}),
  }),
);
const FEW = LINES.slice(0, 3);
const STATUS = (position: number, status: string) =>
  `PUT /api/sales-order/1/position/${position}/update-status/${status}`;
const rows = () => document.querySelectorAll("tr[data-row]").length;
const bar = page.getByRole("region", { name: "Líneas elegidas" });
const tick = (position: number) =>
  page.getByRole("checkbox", { name: `E2E-LARGA-17 · ${position}` }).click();

async function show(size?: readonly [number, number]) {
  const asked = await showApp({
    at: LIST,
    ...(size === undefined ? {} : { size }),
    permissions: ["ListOrders", "UpdateSalesOrderPositionStatus", "PrintWorkSheet"],
    answers: {
      "GET /api/sales-order/positions": ({ query }: Asked) => {
        if (query["ordering"] === "-quantity") return LINES.toReversed();
        return query["late"] === "true"
          ? LINES.slice(0, 1)
          : query["search"] === "few"
            ? FEW
            : LINES;
      },
      "GET /api/sales-order/1/position/1": LINES[0],
      [STATUS(1, "Approved")]: LINES[0],
      [STATUS(1, "Canceled")]: LINES[0],
      [STATUS(2, "Canceled")]: new Refused(412, { code: "stale_version", message: "Cambió" }),
      [STATUS(3, "Approved")]: LINES[2],
    },
  });
  return () => asked.flatMap(({ method, path }) => (method === "PUT" ? [`${method} ${path}`] : []));
}

it("fits its columns from 1280 px on, keeps its head in sight, and its filters in the address", async () => {
  const writes = await show();
  await open(`${LIST}?show=50`);
  await expect.poll(rows).toBe(30);
  const table = document.querySelector(".ob-table")!;
  for (const [width, height] of [
    [1920, 1080],
    [1440, 900],
    [1280, 800],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one width after the other
    await page.viewport(width, height);
    expectWithin(`all lines at ${width}`);
    expect(table.scrollWidth - table.clientWidth).toBe(0);
  }
  // All filters have the same height.
  await open(`${LIST}?show=50&status=New&risk=high&customerId=1&from=2026-01-01`);
  const filters = () => [...document.querySelectorAll(".ob-toolbar :is(.ant-select, .ant-picker)")];
  await expect.poll(() => filters().length).toBe(5);
  const heights = filters().map((box) => Math.round(box.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
  await open(`${LIST}?show=50`);
  window.scrollTo(0, 800);
  const head = page.getByRole("columnheader", { name: /^Días/ });
  const navbar = document.querySelector(".ob-navbar")!;
  await expect
    .poll(() => {
      const below = navbar.getBoundingClientRect().bottom;
      return window.scrollY > 300 && Math.round(head.element().getBoundingClientRect().top - below);
    })
    .toBe(0);
  await expectAccessible("all lines");

  await open(`${LIST}?search=few`);
  await expect.poll(rows).toBe(3);
  await page.getByRole("button", { name: "Filtros", exact: true }).click();
  await page.getByRole("menuitem", { name: "Qué atender" }).click();
  await expect.element(page.getByRole("combobox", { name: "Qué atender" })).toHaveFocus();
  await page.getByTitle("Atrasadas").click();
  await expect.poll(rows).toBe(1);
  expect(window.location.hash).toBe(`#${LIST}?search=few&late=true`);
  await page.getByRole("cell", { name: /4 días/ }).click();
  await expect.element(page.getByRole("article")).toBeVisible();
  expect(window.location.hash).toBe(`#${LIST}?search=few&late=true&line=1-1`);
  window.history.back();
  await expect.element(page.getByRole("article")).not.toBeInTheDocument();
  expect(window.location.hash).toBe(`#${LIST}?search=few&late=true`);

  // The others are canceled, and the bar keeps the one that was refused.
  await open(`${LIST}?search=few`);
  await expect.poll(rows).toBe(3);
  await tick(1);
  await tick(2);
  await page.getByRole("button", { name: "Cancelar líneas (2)" }).click();
  await page.getByRole("button", { name: "Sí, cancelar 2 líneas" }).click();
  await expect.element(page.getByText("1 línea cancelada")).toBeVisible();
  await expect.element(bar.getByRole("alert")).toMatchTextContent("1 línea no cambió");
  expect(writes()).toEqual([STATUS(1, "Canceled"), STATUS(2, "Canceled")]);
  await expect.element(bar.getByRole("status").first()).toMatchTextContent("1 de 3 seleccionadas");
});

it("shows 13 rows of equal height, and the whole of a long sentence to who points at it", async () => {
  await show([1440, 900]);
  await open(LIST);
  await expect.poll(rows).toBe(25);
  const boxes = [...document.querySelectorAll("tr[data-row]")].map((row) =>
    row.getBoundingClientRect(),
  );
  expect(boxes.filter(({ bottom }) => bottom <= innerHeight).length).toBeGreaterThanOrEqual(13);
  expect(new Set(boxes.map(({ height }) => height)).size).toBe(1);
  const sentence = document.querySelectorAll<HTMLElement>(".ob-table__whole > .ob-two-rows")[1]!;
  expect(sentence.scrollHeight).toBeGreaterThan(sentence.clientHeight);
  await page.elementLocator(sentence).hover();
  expect(sentence.scrollHeight).toBe(sentence.clientHeight);
  expect(sentence.closest("tr")!.getBoundingClientRect().height).toBe(boxes[0]!.height);
});

it("moves by less than 0.1 when it is sorted or searched", async () => {
  await show([1440, 900]);
  await open(LIST);
  await expect.poll(rows).toBe(25);
  const first = () => document.querySelector("tr[data-row] td:nth-child(3)")?.textContent;
  const shifted = async (address: string, isDone: () => unknown, wanted: unknown) => {
    const moves: number[] = [];
    const observer = new PerformanceObserver((list) => moves.push(...movesIn(list.getEntries())));
    observer.observe({ type: "layout-shift" });
    await open(address);
    await expect.poll(isDone).toBe(wanted);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    moves.push(...movesIn(observer.takeRecords()));
    observer.disconnect();
    return moves.reduce((sum, value) => sum + value, 0);
  };
  expect(await shifted(`${LIST}?ordering=-quantity`, first, "30")).toBeLessThan(0.1);
  expect(await shifted(`${LIST}?search=few`, rows, 3)).toBeLessThan(0.1);
  expect(await shifted(LIST, rows, 25)).toBeLessThan(0.1);
});

it("has cards on a phone, which are ticked and approved from the bar below", async () => {
  const writes = await show([390, 844]);
  await open(`${LIST}?search=few`);
  const top = () => document.querySelector(".ob-table")!.getBoundingClientRect().top + scrollY;
  await expect.element(page.getByRole("checkbox", { name: /· 3$/ })).toBeVisible();
  await expect.poll(() => document.querySelectorAll("main li").length).toBe(3);
  const before = top();
  await tick(1);
  await tick(3);
  await expect.element(bar).toBeInViewport({ ratio: 1 });
  expect(top()).toBe(before);
  await expectGood("lines chosen on a phone");
  await expect.element(bar.getByRole("status")).toMatchTextContent("2 de 3 seleccionadas");
  await bar.getByRole("button", { name: "Aprobar (2)" }).click();
  await expect.element(page.getByText("2 líneas aprobadas")).toBeVisible();
  expect(writes()).toEqual([STATUS(1, "Approved"), STATUS(3, "Approved")]);
});
