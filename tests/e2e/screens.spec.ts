/** Every screen at every size: axe finds nothing serious, and nothing is wider than the window. */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, SIZES, test } from "./fixtures";

const LOOKS = [
  { size: "office", language: "es", theme: "light" },
  { size: "wall", language: "en", theme: "light" },
  { size: "phone", language: "en", theme: "dark" },
] as const;

async function expectWithin(page: Page, where: string): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over, `${where} is wider than the window`).toBeLessThanOrEqual(0);
}

async function expectGood(page: Page, where: string): Promise<void> {
  await expectAccessible(page, where);
  await expectWithin(page, where);
}

for (const { size, language, theme } of LOOKS) {
  const look = `${size}, ${language}, ${theme}`;

  test(`the sign-in and its errors: ${look}`, async ({ page }) => {
    await page.setViewportSize(SIZES[size]);
    await page.addInitScript(
      ([chosen, drawn]) => {
        localStorage.setItem("language", chosen);
        localStorage.setItem("theme", drawn);
      },
      [language, theme] as const,
    );
    await page.goto("/");
    await expect(page.locator("#email")).toBeVisible();
    await page.locator("button[type=submit]").click();
    await expect(page.locator("#email-error")).not.toBeEmpty();
    await expectGood(page, "login");
    for (const path of ["Recuperar/ana%40obrador.test", "Restablecer/1-x"]) {
      // oxlint-disable no-await-in-loop
      await page.goto(`/#/${path}`);
      await expect(page.getByRole("link")).toBeVisible();
      await expectGood(page, path);
      // oxlint-enable no-await-in-loop
    }
  });

  test(`the pages of a signed-in person: ${look}`, async ({ apiOf, pageOf }) => {
    test.slow();
    const order = await (await apiOf("admin")).order(12, 5);
    const page = await pageOf("admin", { language, size });
    await page.addInitScript((drawn) => localStorage.setItem("theme", drawn), theme);
    const orders = "operations/sales-orders";
    for (const path of [
      "home",
      "privacy",
      "shop-floor",
      "reports/pay-orders",
      "reports/paid-orders",
      "administration/permissions",
      "administration/roles",
      "administration/users",
      "administration/audit",
      "dashboard",
      "reports/sales-orders?shown=all",
      "reports/flow",
      orders,
      `${orders}/new`,
      `${orders}/${order.id}`,
      `${orders}/${order.id}/position/1/a`,
    ]) {
      // oxlint-disable no-await-in-loop -- one page after the other in one browser
      await page.goto(`/#/${path}`);
      await expect(page.locator("main h1")).toBeVisible();
      await expect(page.locator("main .ant-skeleton")).toHaveCount(0);
      await expectGood(page, path);
      // oxlint-enable no-await-in-loop
    }
    for (const path of ["administration/roles?record=new", "administration/users?record=new"]) {
      // oxlint-disable no-await-in-loop
      await page.goto(`/#/${path}`);
      await expect(page.locator(".ant-drawer-section form")).toBeVisible();
      await expect(page.locator(".ant-drawer-section .ant-skeleton")).toHaveCount(0);
      await expectGood(page, path);
      // oxlint-enable no-await-in-loop
    }
    await page.goto("/#/home");
    await page.locator("header button").first().click();
    await expect(page.getByRole("navigation")).toBeVisible();
    await expectGood(page, "menu");
  });
}
