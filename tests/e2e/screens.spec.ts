/** Every screen in every look, except those of orders and bills (`orders-screens.spec.ts`, `bills.spec.ts`). */
import { expect, test } from "./fixtures";
import { expectGood, LOOKS, named } from "./looks";

for (const look of LOOKS) {
  test(`the pages of a signed-in person: ${named(look)}`, async ({ apiOf, pageOf }) => {
    test.slow();
    const api = await apiOf("admin");
    const late = await api.order(3);
    const line = `/api/sales-order/${late.id}/position/1/full`;
    await api.call("PUT", line, { deliveryDate: "2001-01-01" });
    const page = await pageOf("admin", look);
    await page.goto("/#/home");
    await expect(page.getByText(late.customerSalesOrderId).first()).toBeVisible();
    for (const path of [
      "home",
      "privacy",
      "shop-floor",
      "reports/pay-orders",
      "reports/paid-orders",
      "administration/permissions",
      "administration/roles",
      "administration/users",
      "administration/integrations",
      "administration/webhooks",
      "administration/audit",
      "dashboard",
      "reports/sales-orders?shown=all",
      "reports/flow",
      "reports/metal",
      "operations/metal",
      "operations/metal/day",
      "operations/metal/ledger",
      "operations/metal/lots",
      "operations/metal/refining",
      "operations/metal/counts",
    ]) {
      // oxlint-disable no-await-in-loop -- one page after the other in one browser
      await page.goto(`/#/${path}`);
      await expect(page.locator("main h1")).toBeVisible();
      await expect(page.locator("main .ant-skeleton")).toHaveCount(0);
      await expectGood(page, path, look);
      // oxlint-enable no-await-in-loop
    }
    for (const path of [
      "administration/roles?record=new",
      "administration/users?record=new",
      "administration/webhooks?record=new",
    ]) {
      // oxlint-disable no-await-in-loop
      await page.goto(`/#/${path}`);
      await expect(page.locator(".ant-drawer-section form")).toBeVisible();
      await expect(page.locator(".ant-drawer-section .ant-skeleton")).toHaveCount(0);
      await expectGood(page, path, look);
      // oxlint-enable no-await-in-loop
    }
    await page.goto("/#/home");
    await page.locator("header button").first().click();
    await expect(page.getByRole("navigation")).toBeVisible();
    await expectGood(page, "menu", look);
  });
}
