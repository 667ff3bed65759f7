/** The shell: menu by permission, guard, user menu, languages. See infra/docs/rules.md#screens. */
import { expect, signIn, test } from "./fixtures";

test("the menu opens by pointer and keyboard, and the texts are loaded once, before all calls but the start", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/#/home");
  const toggle = page.getByRole("banner").getByRole("button", { name: /el menú$/ });
  const menu = page.getByRole("navigation", { name: "Menú principal" });
  await toggle.click();
  await expect(menu).toBeVisible();
  await expect(toggle).toHaveAccessibleName("Cerrar el menú");
  await toggle.click();
  await expect(menu).toBeHidden();
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await toggle.click();
  await expect(menu.getByRole("link", { name: "Piso de producción" })).toBeVisible();
  await menu.getByRole("link", { name: "Por pagar" }).click();
  await expect(page.getByRole("heading", { name: "Por pagar" })).toBeVisible();
  await expect(menu).toBeHidden();
  await toggle.click();
  // The last link of the daily work is above the window's edge.
  await expect(menu.getByRole("link", { name: "Destajo pagado" })).toBeInViewport();
  await page.goBack();
  await expect(page).toHaveURL(/#\/home$/);
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Ir al contenido" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  const words = asked.filter((path) => /\/features-/.test(path));
  expect(words).toHaveLength(1);
  const first = asked.findIndex((path) => /^\/api\/(?!start$)/.test(path));
  expect(asked.indexOf(words[0]!)).toBeLessThan(first);
});

test(
  "a changed language applies at once, and stays after a reload and in another browser",
  { tag: "@alone" },
  async ({ page: other, pageOf }) => {
    const page = await pageOf("worker");
    await page.goto("/#/shop-floor");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    // The page asks browsers not to translate it.
    await expect(page.locator("html")).toHaveAttribute("translate", "no");
    await expect(page.locator('meta[name="google"]')).toHaveAttribute("content", "notranslate");
    await page.getByRole("button", { name: /^Menú de / }).click();
    const kept = page.waitForResponse(/\/identity\/users\/\d+\/language$/);
    await page.getByRole("menuitem", { name: "English" }).click();
    expect((await kept).status()).toBe(200);
    await expect(page.getByRole("heading", { name: "Shop floor" })).toBeVisible();
    await expect(page).toHaveTitle("Shop floor · Obrador");
    await page.reload();
    await expect(page.getByRole("heading", { name: "Shop floor" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.locator("html")).toHaveAttribute("translate", "no");
    // Another browser shows the person's language after the sign-in.
    await other.goto("/");
    await signIn(other, "worker");
    await expect(other.locator("html")).toHaveAttribute("lang", "en");
    await other.getByRole("button", { name: /^Menu of / }).click();
    const back = other.waitForResponse(/\/identity\/users\/\d+\/language$/);
    await other.getByRole("menuitem", { name: "Español" }).click();
    expect((await back).status()).toBe(200);
  },
);
