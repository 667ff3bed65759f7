/** How screens look: pieces in their lists, rows of a height, a bar that stands still (infra/docs/rules.md#screens). */
import { expect, test } from "./fixtures";

test("the top bar stands still while the age of the last event grows", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  // Of an account that is not signed out when nobody touches it.
  const page = await pageOf("admin", { own: true });
  await page.clock.install();
  await page.goto("/#/operations/orders");
  await expect(page.getByText("En vivo")).toBeVisible();
  const search = page.getByRole("banner").getByRole("button", { name: /Buscar en todo/ });
  const before = (await search.boundingBox())!;
  await admin.order(3);
  const age = page.locator(".ob-live__age");
  await expect(age).toHaveText(/^hace \d s$/);
  for (const [seconds, said] of [
    [12, /^hace \d\d s$/],
    [12 * 60, /^hace \d\d min$/],
  ] as const) {
    // oxlint-disable no-await-in-loop -- the age grows
    await page.clock.runFor(seconds * 1_000);
    await expect(age).toHaveText(said);
    expect((await search.boundingBox())!.x).toBe(before.x);
    // oxlint-enable no-await-in-loop
  }
});

test("lines are listed with their pieces, in an order, among all and in the search, and more rows fit", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const order = await admin.order(3, 4);
  const page = await pageOf("admin", { own: true });
  const pictures = page.locator("tr[data-row] .ob-thumb");
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  await expect(pictures).toHaveCount(2);
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  await expect(pictures).toHaveCount(2);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill(order.customerSalesOrderId);
  const found = page.getByRole("option").filter({ hasText: "línea 1" });
  await expect(found.locator(".ob-thumb")).toBeVisible();
  await page.keyboard.press("Escape");

  const row = page.locator("tr[data-row]").first();
  const height = async () => (await row.boundingBox())!.height;
  const comfortable = await height();
  await page.evaluate(() => localStorage.setItem("density", "compact"));
  await page.reload();
  await expect(row).toBeVisible();
  expect(await height()).toBeLessThan(comfortable - 8);
});
