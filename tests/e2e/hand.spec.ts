/** Lists on tablets and phones: cards with large targets, nothing to scroll sideways. */
import type { Page } from "@playwright/test";
import { expect, SIZES, test, type Api } from "./fixtures";
import { expectGood, expectWithin } from "./looks";

const LEAST = 48;

/** The controls that are smaller than a finger needs. A checkbox counts as large as its label. */
async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
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
      .filter(([, { width, height }]) => width > 0 && (height < least - 0.5 || width < least - 0.5))
      .map(([one, { width, height }]) => {
        const name = one.textContent || one.getAttribute("aria-label") || one.className;
        return `${one.tagName} "${name}" ${Math.round(width)}×${Math.round(height)}`;
      });
  }, LEAST);
}

test("lists are cards with large targets, on the tablet and in the hand", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const api = await apiOf("admin");
  const order = await api.order(18, 6);
  await api.approve(order.id);
  const look = { size: "tablet", language: "es", theme: "light" } as const;
  const admin = await pageOf("admin", look);
  const worker = await pageOf("worker", look);
  for (const path of [
    "home",
    "operations/orders",
    "operations/sales-orders",
    `operations/sales-orders/${order.id}`,
    "reports/pay-orders",
    "reports/paid-orders",
  ]) {
    // oxlint-disable no-await-in-loop -- one page after the other in one browser
    const page = path === "home" ? worker : admin;
    await page.goto(`/#/${path}`);
    await expect(page.locator("main h1")).toBeVisible();
    await expect(page.locator("main .ant-skeleton")).toHaveCount(0);
    await expect(page.locator("main table")).toHaveCount(0);
    await expectGood(page, path, look);
    for (const size of ["handheld", "tablet"] as const) {
      await page.setViewportSize(SIZES[size]);
      await expectWithin(page, `${path}, ${size}`);
      await expect(page.locator("main table")).toHaveCount(0);
      expect.soft(await tooSmall(page), `${path}, ${size}`).toEqual([]);
    }
    // oxlint-enable no-await-in-loop
  }
});

async function processId(api: Api): Promise<number> {
  const path = "/api/production-processes?status=true&filterByUser=true";
  const [first] = await api.call<{ id: number }[]>("GET", path);
  return first!.id;
}

test("on a tablet a line is found, chosen and moved by touch, and its history is read", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(18);
  await api.approve(order.id);
  const page = await pageOf("admin", { size: "tablet" });
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  const card = page.locator(".ob-table__card");
  await expect(card).toHaveCount(1);
  await card.getByRole("checkbox").tap();
  await expect(page.locator(".ob-selection__said")).toContainText("1 de 1");
  await card.getByRole("button").tap();
  await expect(page.getByRole("dialog")).toBeVisible();

  await page.goto(`/#/operations/sales-orders/${order.id}`);
  const enter = page.getByRole("button", { name: "Meter piezas de la línea 1" });
  await expect(enter).toBeInViewport({ ratio: 1 });
  await enter.tap();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  const process = await processId(api);
  await api.move("in", { ...order.items[0]!, salesOrderId: order.id }, process);
  await page.getByRole("button", { name: "Más acciones de la línea 1" }).tap();
  await page.getByRole("menuitem", { name: "Ver historial" }).tap();
  const history = page.getByRole("dialog");
  await expect(history.locator(".ob-column-card")).toHaveCount(1);
  await expect(history.getByText("18", { exact: true })).toBeVisible();
  const { width } = (await history.locator(".ob-column-card").boundingBox())!;
  expect(width).toBeLessThanOrEqual(SIZES.tablet.width);
  await expectWithin(page, "history");
});
