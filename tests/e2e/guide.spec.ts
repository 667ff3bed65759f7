/** The tour for each role, which is offered once, and the help of every page. */
import { expect, signIn, test } from "./fixtures";
import { expectGood, expectWithin, LOOKS } from "./looks";

const PHONE = LOOKS[1];

test("the tour is offered once, can be left at any step, and starts again from the menu", async ({
  page,
}) => {
  await page.goto("/");
  await signIn(page, "boss");
  const offer = page.getByRole("complementary", { name: "Recorrido" });
  await offer.getByRole("button", { name: "Ver el recorrido" }).click();
  await expect(page.getByText("La oficina en un minuto")).toBeVisible();
  await expect(page.getByText("1 de 6")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 de 6")).toBeVisible();
  await page.locator(".ob-tour").getByRole("button", { name: "Salir" }).last().click();
  await expect(page.locator(".ob-tour")).toHaveCount(0);
  await page.reload();
  await expect(page.locator("main h1")).toBeVisible();
  await expect(offer).toHaveCount(0);
  await page.locator(".ob-navbar__user").click();
  await page.getByRole("menuitem", { name: "Ver el recorrido" }).click();
  await expect(page.getByText("1 de 6")).toBeVisible();
});

test("a worker takes the whole tour on a phone", async ({ pageOf }) => {
  const page = await pageOf("worker", PHONE);
  await page.goto("/#/home");
  await page.locator(".ob-navbar__user").click();
  await page.getByRole("menuitem", { name: "See the tour" }).click();
  for (let step = 1; step <= 7; step += 1) {
    // oxlint-disable no-await-in-loop -- one step after the other
    await expect(page.getByText(`${step} of 7`)).toBeVisible();
    const panel = page.locator(".ant-tour-panel, .ant-tour-section").first();
    const box = (await panel.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    await (step === 1 ? expectGood(page, "tour", PHONE) : expectWithin(page, `tour, step ${step}`));
    await page.locator(".ob-tour .ant-btn-primary").click();
    // oxlint-enable no-await-in-loop
  }
  await expect(page.locator(".ob-tour")).toHaveCount(0);
});

test("the menu opens the help of the page, which leads to the tour", async ({ pageOf }) => {
  const page = await pageOf("admin", PHONE);
  await page.goto("/#/reports/flow");
  await page.locator(".ob-navbar__user").click();
  await page.getByRole("menuitem", { name: "Help with this page" }).click();
  const help = page.getByRole("dialog", { name: /^Help: / });
  await expect(help.getByText("How many pieces entered and left")).toBeVisible();
  await expectGood(page, "help", PHONE);
  await help.getByRole("button", { name: "See the tour" }).click();
  await expect(page.getByText("The system in one minute")).toBeVisible();
});
