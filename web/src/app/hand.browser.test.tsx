import { expect, it } from "vitest";
import { page } from "vitest/browser";
import type { Payment } from "@/contract";
import { open, showApp } from "@/testing/app";
import { aForecast } from "@/testing/forecasts";
import { aLine, anOrder } from "@/testing/lines";
import { aPayable } from "@/testing/payables";
import { expectAccessible, expectWithin } from "@/testing/looks";

const SIZES: Record<"handheld" | "tablet" | "office", readonly [number, number]> = {
  handheld: [390, 844],
  tablet: [800, 1280],
  office: [1440, 900],
};
/** The pixels that a finger needs. */
const LEAST = 48;

/** The controls that are smaller than a finger needs. A checkbox counts as large as its label. */
function tooSmall(): string[] {
  const pressed = document.querySelectorAll<HTMLElement>(
    "main button, main a, main .ant-select, main label.ant-checkbox-wrapper, main input:not([type=checkbox])",
  );
  // The whole tile of a process opens its station, and a field counts as large as its frame.
  const whole =
    ".ob-home__processes li:has(.ob-home__station), .ant-input-affix-wrapper, .ant-picker";
  const within = (one: HTMLElement) => one.closest(whole) ?? one;
  return [...pressed]
    .filter((one) => one.closest(".ant-select") === null || one.matches(".ant-select"))
    .map((one) => [one, within(one).getBoundingClientRect()] as const)
    .filter(([, { width, height }]) => width > 0 && (height < LEAST - 0.5 || width < LEAST - 0.5))
    .map(([one, { width, height }]) => {
      const name = one.textContent || one.getAttribute("aria-label") || one.className;
      return `${one.tagName} "${name}" ${Math.round(width)}×${Math.round(height)}`;
    });
}

const LINES = [1, 2].map((position) =>
  aLine({
    id: position,
    position,
    itemName: "Anillo de plata",
    forecast: aForecast({ risk: "high" }),
    actions: {
      ...aLine().actions,
      statuses: ["Canceled"],
      edit: true,
      history: true,
      movements: [
        {
          type: "in",
          productionProcessId: 2,
          productionProcessName: "Vaciado",
          maxQuantity: 10,
          weighs: "no",
        },
      ],
    },
  }),
);
const ORDER = anOrder({ items: LINES, actions: { edit: true, delete: true } });
const { items: _, ...SUMMARY } = ORDER;
const PAYMENT: Payment = {
  kind: "payment",
  id: 3,
  status: "Paid",
  date: "2026-03-14",
  userId: 7,
  username: "Ana Torres",
  notes: "",
  cancelNotes: "",
  total: 92.5,
  currency: "MXN",
  items: [],
  createdAt: "2026-03-14T15:00:00Z",
  createdBy: "Ana Ruiz",
  canceledAt: null,
  canceledBy: null,
  version: 1,
  offers: { cancel: true },
  actions: { cancel: true },
};
const PAYABLES = "/api/sales-order/positions/production-processes";
const ONE_LINE = { count: 1, lines: [LINES[0]] };
const ANSWERS = {
  "GET /api/sales-order": [SUMMARY],
  "GET /api/sales-order/1": ORDER,
  "GET /api/sales-order/1/position/1": LINES[0],
  "GET /api/work-sheets/1/position/1": {
    code: "",
    linesCount: 2,
    companyName: "Taller",
    logo: null,
  },
  "GET /api/sales-order/positions": LINES,
  [`GET ${PAYABLES}`]: [aPayable()],
  [`GET ${PAYABLES}/people`]: [
    {
      userId: 7,
      fullName: "Ana Torres",
      records: 1,
      pieces: 10,
      amount: 92.5,
      unweighed: 0,
      since: "2026-03-02T13:00:00Z",
      owedRecords: 1,
      owedPieces: 10,
      owedAmount: 92.5,
      owedSince: "2026-03-02T13:00:00Z",
      currency: "MXN",
      processes: [],
    },
  ],
  [`GET ${PAYABLES}/payments`]: [PAYMENT],
  [`GET ${PAYABLES}/earnings`]: {
    today: 1,
    week: 2,
    open: 3,
    paid: 4,
    unweighed: 0,
    currency: "MXN",
  },
  "GET /api/reports/today": {
    late: ONE_LINE,
    likelyLate: ONE_LINE,
    dueThisWeek: ONE_LINE,
    insideOverADay: ONE_LINE,
    toApprove: ONE_LINE,
    toBill: null,
  },
  "GET /api/metal/mine": { accounts: [], days: [] },
  "GET /api/reports/scrap/mine": { pieces: 0, reasons: [] },
  "GET /api/shop-floor/own": [
    {
      productionProcessId: 2,
      productionProcessName: "Vaciado",
      piecesInside: 3,
      linesInside: 1,
      lateLinesInside: 0,
    },
  ],
};
const PAGES = [
  ["/home", "Vaciado"],
  ["/operations/orders", "PO-1"],
  ["/operations/sales-orders", "PO-1"],
  ["/operations/sales-orders/1", "Anillo de plata"],
  ["/reports/pay-orders", "Ana Torres"],
  ["/reports/pay-orders?view=records", "Ana Torres"],
  ["/reports/paid-orders", "Ana Torres"],
] as const;

it("lists are cards with large targets, on the tablet and in the hand", async () => {
  await showApp({
    at: "/account/notices",
    permissions: [
      "Station",
      "ListSalesOrders",
      "CreateSalesOrder",
      "UpdateSalesOrder",
      "UpdateSalesOrderPosition",
      "UpdateSalesOrderPositionStatus",
      "SalesOrderPositionProcessIn",
      "SalesOrderPositionRecord",
      "PrintWorkSheet",
      "ListOrders",
      "ReportPayOrders",
      "CreatePay",
      "ReportPaidOrders",
    ],
    answers: ANSWERS,
    size: SIZES.tablet,
  });
  for (const [path, known] of PAGES) {
    // oxlint-disable no-await-in-loop -- one page after the other
    await open(path);
    await expect.element(page.getByRole("main").getByText(known).first()).toBeVisible();
    await expect.poll(() => document.querySelectorAll("main .ant-skeleton").length).toBe(0);
    await expectAccessible(path);
    for (const name of ["handheld", "tablet"] as const) {
      await page.viewport(...SIZES[name]);
      expect(document.querySelector("main table"), `${path}, ${name}`).toBeNull();
      await expect.poll(tooSmall, { message: `${path}, ${name}` }).toEqual([]);
      expectWithin(`${path}, ${name}`);
    }
    // oxlint-enable no-await-in-loop
  }

  await open("/operations/sales-orders/1/position/1/a");
  await page.getByRole("article").getByRole("button", { name: "Más", exact: true }).click();
  await page.getByRole("menuitem", { name: "Etiquetas" }).click();
  const labels = page.getByRole("dialog", { name: "Imprimir etiquetas" });
  await labels.getByRole("textbox", { name: "Piezas por etiqueta" }).fill("3");
  await expect.element(labels.getByRole("button", { name: "Imprimir 4 etiquetas" })).toBeVisible();
  for (const name of ["handheld", "office"] as const) {
    // oxlint-disable no-await-in-loop
    await page.viewport(...SIZES[name]);
    await expectAccessible("the dialog of labels");
    expectWithin("the dialog of labels");
    // oxlint-enable no-await-in-loop
  }
});
