import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { ShopDay, ShopFloorCard } from "@/contract";
import { today } from "@/shared/format/plant";
import { open, showApp } from "@/testing/app";
import { aBoard } from "@/testing/floor";
import { aMovement, PLANT, someInside, someWaiting } from "@/testing/lines";
import { expectGood } from "@/testing/looks";
import { unmountAll } from "@/testing/mount";
import type { Asked } from "@/testing/pages";

const [CASTING, SANDING] = aBoard().lanes;
const LANES = [
  CASTING!,
  SANDING!,
  { ...SANDING!, productionProcessId: 4, productionProcessName: "Control de calidad", order: 4 },
];
/** Nine lines in each process: the PO# of the last one is too long for large letters. */
const LINES = LANES.flatMap((lane, place) =>
  Array.from({ length: 9 }, (_, row) => {
    const id = 100 * (place + 1) + row;
    return {
      ...aMovement().data.line,
      id,
      salesOrderId: id,
      customerSalesOrderId: row === 8 ? `E2E-1790000000${id}` : `PO-${id}`,
      inside: [someInside({ productionProcessId: lane.productionProcessId, quantity: 7 })],
    };
  }),
);
const LATE_WAITS = {
  ...LINES[0]!,
  id: 900,
  salesOrderId: 900,
  customerSalesOrderId: "PO-900",
  inside: [],
  late: true,
  deliveryDate: "2026-03-01",
  waiting: [
    someWaiting({
      productionProcessId: 3,
      quantity: 12,
      fromProductionProcessId: 4,
      since: new Date(Date.now() - 9 * 3_600_000).toISOString(),
    }),
  ],
};
const FLOOR = { ...aBoard(), today: today(), lanes: LANES, lines: [...LINES, LATE_WAITS] };

it("writes PO and pieces a twentieth of a wall's height high, in 4K too, and keeps the filter", async () => {
  const wall = {
    at: "/shop-floor",
    permissions: ["ShopFloor", "ListOrders"] as const,
    answers: {
      "GET /api/shop-floor": FLOOR,
      "GET /api/production-processes": [
        ...PLANT,
        { ...PLANT[1]!, id: 4, name: "Control de calidad", order: 4 },
      ],
    },
    size: [1920, 1080] as const,
  };
  await showApp(wall);
  const cards = () => [...document.querySelectorAll(".ob-board-card")];
  for (const [width, height] of [
    [1920, 1080],
    [3840, 2160],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one size after the other
    await page.viewport(width, height);
    await expect.poll(() => cards().length).toBeGreaterThan(2);
    const sizes = () =>
      cards()
        .flatMap((card) => [
          ...card.querySelectorAll(".ob-board-card__order, .ob-board-card__pieces strong"),
        ])
        .filter(({ textContent }) => textContent.length <= 9)
        .map((text) => Number.parseFloat(getComputedStyle(text).fontSize) / height);
    await expect.poll(() => Math.min(...sizes())).toBeGreaterThan(0.05);
    await expect.element(page.getByText("Espera, salió de Control de calidad")).toBeVisible();
    const parts = ".ob-board-card__order, .ob-board-card__state, .ob-board-card__age, .ob-lane h2";
    const cut = [...document.querySelectorAll(parts)].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    );
    expect(cut.map(({ textContent }) => textContent)).toEqual([]);
    const inside = [...document.querySelectorAll<HTMLElement>(".ob-lane__figure--inside")];
    expect(inside.filter((figure) => figure.checkVisibility())).toHaveLength(LANES.length);
    for (const card of cards()) {
      const { bottom, right } = card.getBoundingClientRect();
      expect(bottom).toBeLessThanOrEqual(height);
      expect(right).toBeLessThanOrEqual(width);
    }
    // oxlint-enable no-await-in-loop
  }

  // A narrower screen has a smaller head, and cuts nothing in it.
  await page.viewport(1200, 900);
  const head = () =>
    [...document.querySelectorAll(".ob-board__head h1, .ob-board__figures dd")].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    );
  await expect.poll(() => head().map(({ textContent }) => textContent)).toEqual([]);
  const controls = document.querySelector(".ob-board__controls")!.getBoundingClientRect();
  expect(controls.right).toBeLessThanOrEqual(1200);

  await page.viewport(1920, 1080);
  const lanes = page.getByRole("region");
  await expect.poll(() => lanes.elements().length).toBe(3);
  await page.getByRole("combobox", { name: "Todos los procesos" }).click();
  const option = () => document.querySelector('.ant-select-item-option[title="Lijado"]');
  await expect.poll(option).not.toBeNull();
  await page.elementLocator(option()!).click();
  await expect.poll(() => lanes.elements().length).toBe(1);
  expect(window.location.hash).toBe("#/shop-floor?process=3");
  await userEvent.keyboard("{Escape}");
  await page.getByRole("button", { name: "Pantalla completa" }).click();
  await expect
    .element(page.getByRole("button", { name: "Salir de pantalla completa" }))
    .toBeVisible();
  await document.exitFullscreen();
  unmountAll();
  await showApp({ ...wall, at: "/shop-floor?process=3" });
  await expect.poll(() => lanes.elements().length).toBe(1);
});

const BEGINS = Date.parse("2026-03-14T06:00:00Z");
const minute = (count: number) => new Date(BEGINS + count * 60_000).toISOString();
const CARD: ShopFloorCard = {
  recordId: 500,
  salesOrderId: 1,
  position: 1,
  customerSalesOrderId: "PO-1",
  customerName: "Platería Norte",
  itemId: 3,
  itemName: "Anillo",
  itemNameEnglish: "",
  image: null,
  pieces: 3,
  quantity: 3,
  since: minute(30),
  by: "Luis Vega",
  deliveryDate: null,
  late: false,
};
/** A day of one hour on 2026-03-14. Three pieces enter in its middle. */
const day = ({ query }: Asked): ShopDay => ({
  date: query["date"] ?? "",
  begins: minute(0),
  ends: minute(60),
  start: LANES.slice(0, 2).map((lane) => ({ ...lane, cards: [] })),
  movements:
    query["date"] === "2026-03-14"
      ? [
          {
            press: null,
            lines: 1,
            at: minute(30),
            type: "in",
            productionProcessId: 2,
            by: "Luis Vega",
            pieces: 3,
            recordId: CARD.recordId,
            card: CARD,
            inside: 3,
            leftToday: 0,
          },
        ]
      : [],
});

it("scrubs, plays and links a past day", async () => {
  await showApp({
    at: "/shop-floor",
    permissions: ["ShopFloor", "ListOrders"],
    answers: { "GET /api/shop-floor": FLOOR, "GET /api/shop-floor/day": day },
    size: [390, 844],
  });
  await page.getByRole("link", { name: "Repetición de un día" }).click();
  await expect.element(page.getByRole("button", { name: "Día siguiente" })).toBeDisabled();
  await open("/shop-floor/replay?date=2026-03-14");
  const card = page.getByRole("listitem").filter({ hasText: "PO-1" });
  const slider = page.getByRole("slider", { name: "Hora" });
  // It does not pass for the present.
  const title = page.getByRole("heading", { name: "Repetición del 2026-03-14" });
  await expect.element(title).toBeVisible();
  await expect.element(page.getByText("En vivo")).not.toBeInTheDocument();
  await expect.element(card).toBeVisible();
  await expectGood("a day again");

  await title.click();
  await userEvent.keyboard("{Home}");
  await expect.element(card).not.toBeInTheDocument();
  await expect.element(slider).toHaveAttribute("aria-valuenow", "0");
  await userEvent.keyboard("{End}");
  await expect.element(card).toBeVisible();
  // Play from the minute before the entry.
  await open("/shop-floor/replay?date=2026-03-14&at=00%3A30");
  await userEvent.keyboard("{Home}");
  await expect.element(card).not.toBeInTheDocument();
  await page.getByText("1 h en 1 s", { exact: true }).click();
  const play = page.getByRole("button", { name: "Reproducir" });
  await play.click();
  await expect.element(card).toBeVisible();
  await expect.element(play).toBeVisible();
  await expect.poll(() => window.location.hash).toMatch(/date=2026-03-14&at=00%3A59$/);

  await open("/shop-floor");
  await expect.element(slider).not.toBeInTheDocument();
  await open("/shop-floor/replay?date=2026-03-14&at=00%3A31");
  await expect.element(card).toBeVisible();
  await expect.poll(() => document.querySelector(".ob-board__clock")?.textContent).toBe("00:31");
  await page.getByRole("button", { name: "Día anterior" }).click();
  await expect.poll(() => window.location.hash).toBe("#/shop-floor/replay?date=2026-03-13");
  await expect.element(card).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Día siguiente" }).click();
  await expect.poll(() => window.location.hash).toBe("#/shop-floor/replay?date=2026-03-14");
});
