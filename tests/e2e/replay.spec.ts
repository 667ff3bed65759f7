/** The replay of a day on the shop floor. */
import type { ProcessRecord, ShopDay, ShopFloor } from "@/contract";
import { floorOf, stateOf, type Floor } from "../../web/src/features/shop-floor/boardView";
import { expect, test } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";

test(
  "the replay of a day agrees with the history at every movement, and with the board at its end",
  { tag: "@alone" },
  async ({ apiOf }) => {
    const admin = await apiOf("admin");
    const [first, second] = await admin.call<{ id: number }[]>(
      "GET",
      "/api/production-processes?status=true",
    );
    const order = await admin.order(12);
    let line = await admin.approve(order.id);
    line = await admin.move("in", line, first!.id, 9);
    line = await admin.move("out", line, first!.id, 5);
    await admin.call(
      "DELETE",
      `/api/sales-order/${order.id}/position/1/production-process/${first!.id}/movement-type/out`,
    );
    await admin.move("in", line, second!.id, 3);
    const day = await admin.call<ShopDay>("GET", "/api/shop-floor/day");
    const board = await admin.call<ShopFloor>("GET", "/api/shop-floor");
    const history = await admin.call<ProcessRecord[]>(
      "GET",
      `/api/sales-order/${order.id}/position/1/history`,
    );

    // A process that other journeys closed since is not on the board any more.
    const onBoard = new Set(board.lanes.map(({ productionProcessId }) => productionProcessId));
    const shown = ({ lanes }: Floor) =>
      Object.fromEntries(
        lanes
          .filter(({ productionProcessId }) => onBoard.has(productionProcessId))
          .filter(({ cards, leftToday }) => cards.length > 0 || leftToday > 0)
          .map((lane) => [
            lane.productionProcessName,
            {
              left: lane.leftToday,
              cards: lane.cards.map(({ recordId, pieces, since, by }) => ({
                recordId,
                pieces,
                since,
                by,
              })),
            },
          ]),
      );
    expect(shown(stateOf(day, Date.parse(day.ends)))).toEqual(shown(floorOf(board)));

    const inside = (instant: number) =>
      new Set(
        stateOf(day, instant).lanes.flatMap(({ cards }) => cards.map(({ recordId }) => recordId)),
      );
    expect(history.length).toBeGreaterThan(1);
    for (const { id, inputDate, outputDate, releasedExits } of history) {
      expect(inside(Date.parse(inputDate) - 1).has(id)).toBe(false);
      expect(inside(Date.parse(inputDate)).has(id)).toBe(true);
      for (const exit of releasedExits) {
        expect(inside(Date.parse(exit.outputDate)).has(id)).toBe(false);
        expect(inside(Date.parse(exit.releasedDate)).has(id)).toBe(true);
      }
      if (outputDate !== null) expect(inside(Date.parse(outputDate)).has(id)).toBe(false);
    }
  },
);

test("a day is scrubbed, played and opened by its address", async ({ apiOf, pageOf }) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(3);
  await admin.move("in", await admin.approve(order.id), processId);
  const page = await pageOf("admin", { size: "handheld" });
  await page.goto("/#/shop-floor");
  await page.getByRole("link", { name: "Repetición de un día" }).click();
  await expect(page).toHaveURL(/#\/shop-floor\/replay/);
  const card = page.getByRole("listitem").filter({ hasText: order.customerSalesOrderId });
  const slider = page.getByRole("slider", { name: "Hora" });
  await expect(slider).toBeVisible();
  // It does not pass for the present.
  await expect(
    page.getByRole("heading", { name: /^Repetición del \d{4}-\d\d-\d\d$/ }),
  ).toBeVisible();
  await expect(page.getByText("En vivo")).toHaveCount(0);
  await expectAccessible(page, "a day again");
  await expectWithin(page, "a day again");

  await page.locator("h1").click();
  await page.keyboard.press("End");
  await expect(card).toBeVisible();
  await expect(page).toHaveURL(/at=\d\d(:|%3A)\d\d/);
  const linked = page.url();
  await page.keyboard.press("Home");
  await expect(card).toHaveCount(0);
  await expect(slider).toHaveAttribute("aria-valuenow", "0");

  // Play from the minute before the entry.
  await page.keyboard.press("End");
  await expect(card).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("ArrowLeft");
    await expect(card).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await page.getByText("1 h en 1 s", { exact: true }).click();
  await page.getByRole("button", { name: "Reproducir" }).click();
  await expect(card).toBeVisible();
  await expect(page.getByRole("button", { name: "Reproducir" })).toBeVisible();

  await page.goto("/#/home");
  await page.goto(linked.slice(linked.indexOf("/#")));
  await expect(page.getByRole("button", { name: "Reproducir" })).toBeVisible();
  const minute = /at=(\d\d)(?::|%3A)(\d\d)/.exec(linked)!;
  await expect(page.locator(".ob-board__clock")).toHaveText(`${minute[1]}:${minute[2]}`);

  await page.getByRole("button", { name: "Día anterior" }).click();
  await expect(page).toHaveURL(/date=\d{4}-\d\d-\d\d$/);
  await expect(card).toHaveCount(0);
  await page.getByRole("button", { name: "Día siguiente" }).click();
  await expect(page.getByRole("button", { name: "Día siguiente" })).toBeDisabled();
});
