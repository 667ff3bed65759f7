/** The shell: menu by permission, guard, user menu, languages. */
import { expect, PEOPLE, signIn, test } from "./fixtures";

test("all words are there before the first page is drawn, and none come late", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/#/operations/sales-orders");
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  await page.getByRole("link", { name: "Por pagar" }).click();
  await expect(page.getByRole("heading", { name: "Por pagar" })).toBeVisible();
  const words = asked.filter((path) => /words-es/.test(path));
  expect(words).toHaveLength(1);
  const first = asked.findIndex((path) => path.startsWith("/api/"));
  expect(asked.indexOf(words[0]!)).toBeLessThan(first);
});

test("the menu slides over, holds what the person may open, and closes on a choice", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  await page.goto("/#/home");
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  const menu = page.getByRole("navigation", { name: "Menú principal" });
  await expect(menu).toBeVisible();
  await expect(menu.getByRole("link", { name: "Piso de producción" })).toBeVisible();
  await menu.getByRole("link", { name: "Piso de producción" }).click();
  await expect(page).toHaveURL(/#\/shop-floor$/);
  await expect(menu).toBeHidden();
});

test("the button that opens the menu closes it", async ({ pageOf }) => {
  const page = await pageOf("admin");
  await page.goto("/#/home");
  const toggle = page.getByRole("banner").getByRole("button", { name: /el menú$/ });
  const menu = page.getByRole("navigation", { name: "Menú principal" });
  await toggle.click();
  await expect(menu).toBeVisible();
  await expect(toggle).toHaveAccessibleName("Cerrar el menú");
  await toggle.click();
  await expect(menu).toBeHidden();
});

test("the keyboard alone opens the menu, closes it, and skips to the content", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  await page.goto("/#/home");
  await page.getByRole("button", { name: "Abrir el menú" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Menú principal" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation", { name: "Menú principal" })).toBeHidden();
  await page.getByRole("button", { name: "Ir al contenido" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("a page without its permission is refused and leads home", async ({ pageOf }) => {
  const page = await pageOf("worker");
  await page.goto("/#/home");
  const without = (page_: { permissions: string[] }) =>
    page_.permissions.filter((action) => action !== "ShopFloor");
  const permissions = await page.evaluate(() => localStorage.getItem("userPermissions"));
  const held = without({
    permissions: JSON.parse(permissions ?? "[]") as string[],
  });
  await page.evaluate(
    (text) => localStorage.setItem("userPermissions", text),
    JSON.stringify(held),
  );
  await page.reload();
  await page.goto("/#/shop-floor");
  await expect(page.getByText("No tiene permisos para realizar esta acción.")).toBeVisible();
  await expect(page).toHaveURL(/#\/home$/);
});

test("an unknown address shows the login to strangers and the home page to the signed-in", async ({
  page,
  pageOf,
}) => {
  await page.goto("/#/no/such/page");
  await expect(page.getByRole("heading", { name: "Bienvenido" })).toBeVisible();
  const signedIn = await pageOf("worker");
  await signedIn.goto("/#/no/such/page");
  await expect(signedIn).toHaveURL(/#\/home$/);
});

test("the language changes everywhere at once and stays", async ({ browser, pageOf }) => {
  const page = await pageOf("worker");
  await page.goto("/#/shop-floor");
  await page.getByRole("button", { name: /^Menú de / }).click();
  const kept = page.waitForResponse(/\/identity\/users\/\d+\/language$/);
  await page.getByRole("menuitem", { name: "English" }).click();
  expect((await kept).status()).toBe(200);
  await expect(page.getByRole("heading", { name: "Shop floor" })).toBeVisible();
  await expect(page).toHaveTitle("Shop floor · Obrador");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Shop floor" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
  // On another browser the person's own language is that of the first screen.
  const other = await browser.newPage();
  await other.goto("/");
  await signIn(other, "worker");
  await expect(other.locator("html")).toHaveAttribute("lang", "en");
  await other.getByRole("button", { name: /^Menu of / }).click();
  const back = other.waitForResponse(/\/identity\/users\/\d+\/language$/);
  await other.getByRole("menuitem", { name: "Español" }).click();
  expect((await back).status()).toBe(200);
  await other.close();
});

test("the privacy page is open to all, in Spanish, and leads back to the login", async ({
  page,
}) => {
  await page.goto("/#/privacy");
  await expect(page.getByRole("heading", { name: "Aviso de privacidad" })).toBeVisible();
  const width = await page.getByRole("article").evaluate((article) => article.clientWidth);
  expect(width).toBeLessThanOrEqual(800);
  await page.getByRole("link", { name: "Volver al inicio de sesión" }).click();
  await expect(page).toHaveURL(/#\/login$/);
});

test("rights taken away leave the open menu at once, and given back return", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const users = await api.call<{ id: number; email: string; roleIds: number[] }[]>(
    "GET",
    "/identity/users",
  );
  const packer = users.find(({ email }) => email === PEOPLE.packer);
  if (packer === undefined) throw new Error("The demo has no Marisol.");
  const role = await api.call<{ id: number }>("POST", "/identity/roles", {
    name: `Sin tablero ${Date.now()}`,
    permissions: ["ListOrders"],
  });
  const page = await pageOf("packer");
  await page.goto("/#/home");
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  const link = page.getByRole("link", { name: "Piso de producción" });
  await expect(link).toBeVisible();
  await expect(page.getByText("En vivo")).toBeVisible();
  const change = (roleIds: number[]) =>
    api.call("PUT", `/identity/users/${packer.id}`, { roleIds });
  await change([role.id]);
  await expect(link).toBeHidden();
  await change(packer.roleIds);
  await expect(link).toBeVisible();
});

test("who wants more rows on the screen chooses so in the menu, and the browser keeps it", async ({
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
