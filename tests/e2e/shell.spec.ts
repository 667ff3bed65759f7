/** The shell: menu by permission, guard, user menu, languages. See infra/docs/rules.md#screens. */
import { expect, signIn, test } from "./fixtures";

test("the menu opens by pointer and keyboard, and the texts are loaded before the first API call", async ({
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

  const words = asked.filter((path) => /words-es/.test(path));
  expect(words).toHaveLength(1);
  const first = asked.findIndex((path) => path.startsWith("/api/"));
  expect(asked.indexOf(words[0]!)).toBeLessThan(first);
});

test("an unknown address opens the sign-in or the home page, and the privacy page is open to everyone", async ({
  page,
  pageOf,
}) => {
  await page.goto("/#/no/such/page");
  await expect(page.getByRole("heading", { name: "Bienvenido" })).toBeVisible();
  await page.goto("/#/privacy");
  await expect(page.getByRole("heading", { name: "Aviso de privacidad" })).toBeVisible();
  const width = await page.getByRole("article").evaluate((article) => article.clientWidth);
  expect(width).toBeLessThanOrEqual(800);
  await page.getByRole("link", { name: "Volver al inicio de sesión" }).click();
  await expect(page).toHaveURL(/#\/login$/);

  const signedIn = await pageOf("worker");
  await signedIn.goto("/#/no-hay-tal-pagina?x=1");
  await expect(signedIn.getByText("Esta página no existe")).toBeVisible();
  await expect(signedIn).toHaveURL(/#\/home$/);
  await expect(signedIn.getByText("No tiene permisos")).toHaveCount(0);
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

test("the menu switches to more rows on the screen, and the browser keeps the choice", async ({
  pageOf,
}) => {
  const page = await pageOf("admin", { size: "office", language: "en", theme: "light" });
  await page.goto("/#/catalogs/materials");
  const row = page.locator(".ob-table__row").first();
  const heightOf = async () => (await row.boundingBox())?.height ?? 0;
  await expect(row).toBeVisible();
  const before = await heightOf();
  await page.locator(".ob-navbar__user").click();
  await page.getByRole("menuitem", { name: "More rows on the screen" }).click();
  await expect.poll(heightOf).toBeLessThan(before - 6);
  await page.reload();
  await expect(row).toBeVisible();
  expect(await heightOf()).toBeLessThan(before - 6);
  await page.locator(".ob-navbar__user").click();
  await page.getByRole("menuitem", { name: "Fewer rows, more space" }).click();
  await expect.poll(heightOf).toBe(before);
});
