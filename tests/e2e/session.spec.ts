/** How a session ends: by inactivity, at midnight, by a 401, by a changed password. */
import { expectAccessible } from "./looks";
import { installClock, untilMidnight } from "./clock";
import { expect, signIn, test } from "./fixtures";
import { newPerson } from "./people";

const LOGIN = /#\/login$/;
const HOME = /#\/home$/;

test("an inactive session asks in every tab, stays if a tab answers, and ends if none does", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const somebody = await newPerson(await apiOf("admin"), ["ShopFloor"]);
  const page = await pageOf(somebody, { own: true });
  await installClock(page);
  await page.goto("/#/home");
  const other = await page.context().newPage();
  await other.goto("/#/privacy");
  for (const tab of [page, other]) {
    // oxlint-disable-next-line no-await-in-loop
    await expect(tab.getByRole("banner").getByText("En vivo", { exact: true })).toBeVisible();
  }
  const dialog = page.getByRole("dialog", { name: "¡Alerta de Inactividad!" });
  const otherDialog = other.getByRole("dialog", { name: "¡Alerta de Inactividad!" });

  await page.clock.fastForward("09:00");
  await expect(dialog).toBeHidden();
  await page.clock.fastForward("01:01");
  await expect(dialog).toBeVisible();
  await expect(otherDialog).toBeVisible();
  await expect(
    dialog.getByText("Por inactividad, la aplicación se cerrará en 10 segundos."),
  ).toBeVisible();
  await expect
    .poll(async () => {
      const box = await page.locator(".ob-inactivity .ant-modal-container").boundingBox();
      return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)];
    })
    .toEqual([1440 * 0.4, 900 * 0.32]);
  await expectAccessible(page, "inactivity");
  await page.mouse.click(8, 8);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await other.getByRole("button", { name: "Permanecer Aquí" }).click();
  await expect(otherDialog).toBeHidden();
  await expect(dialog).toBeHidden();

  // Activity in one tab keeps the session of both.
  await page.clock.fastForward("09:00");
  await other.mouse.move(200, 200);
  await other.mouse.move(300, 300);
  await page.clock.fastForward("09:00");
  await expect(dialog).toBeHidden();
  await expect(otherDialog).toBeHidden();

  await page.clock.fastForward("10:01");
  await expect(dialog).toBeVisible();
  await page.clock.runFor(12_000);
  await expect(page).toHaveURL(LOGIN);
  await expect(other).toHaveURL(LOGIN);
  const kept = await page.evaluate(() => Object.keys(localStorage));
  for (const key of ["token", "userData", "userPermissions", "dateLogin"]) {
    expect(kept).not.toContain(key);
  }
});

test("a person exempt from the inactivity alert is still signed out at midnight in the plant", async ({
  apiOf,
  pageOf,
}) => {
  const somebody = await newPerson(await apiOf("admin"), ["NoAutoLogoutInactivity"]);
  const page = await pageOf(somebody, { language: "en", own: true });
  await page.clock.install();
  await page.goto("/#/home");
  await expect(page.getByText("Welcome to the system!")).toBeVisible();
  await page.clock.fastForward("20:00");
  await page.clock.runFor(2_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const now = await page.evaluate(() => Date.now());
  await page.clock.fastForward(untilMidnight(now) + 60_000);
  await page.clock.runFor(2_000);
  await expect(page).toHaveURL(LOGIN);
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
});

test("a 401 while a form is saved keeps its input", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const somebody = await newPerson(api, ["ListRoles", "CreateRole", "ShopFloor"]);
  const page = await pageOf(somebody);
  await page.goto("/#/administration/roles");
  await page.getByRole("button", { name: "Nuevo rol" }).click();
  const drawer = page.getByRole("dialog", { name: "Nuevo rol" });
  await drawer.getByLabel("Nombre").fill("Rol a medias");
  // Keep the live connection from ending the session first.
  await page.route("**/api/live/ticket", (route) => route.abort());
  await page.route("**/identity/roles", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 401,
          json: { code: "unauthenticated", message: "Inicie sesión", params: {}, errors: [] },
        })
      : route.continue(),
  );
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(page).toHaveURL(LOGIN);
  await page.unrouteAll({ behavior: "wait" });
  await signIn(page, somebody);
  await expect(page).toHaveURL(/#\/administration\/roles\?record=new$/);
  await expect(drawer.getByText("Recuperamos lo que estaba escribiendo.")).toBeVisible();
  await expect(drawer.getByLabel("Nombre")).toHaveValue("Rol a medias");
});

test("changing the own password ends the session, and only the new password signs in", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const somebody = await newPerson(api, ["ChangePassword"]);
  const page = await pageOf(somebody);
  await page.goto("/#/home");
  await page.getByRole("button", { name: /^Menú de / }).click();
  await page.getByRole("menuitem", { name: "Cambiar contraseña" }).click();
  const dialog = page.getByRole("dialog", { name: "Cambiar contraseña" });
  const [current, fresh, again] = [
    "Contraseña actual",
    "Contraseña nueva",
    "Confirmar contraseña nueva",
  ].map((label) => dialog.getByLabel(label, { exact: true }));
  const save = dialog.getByRole("button", { name: "Guardar" });
  await save.click();
  await expect(dialog.getByText("Este dato es obligatorio")).toHaveCount(3);
  await expect(fresh!).toHaveAttribute("maxlength", "50");
  await expectAccessible(page, "change password");
  await current!.fill("Equivocada.1");
  await fresh!.fill("Nueva.2026");
  await again!.fill("Nueva.2026");
  await save.click();
  await expect(page.getByText("Ocurrió un error, inténtalo de nuevo")).toBeVisible();
  await expect(dialog.getByText("La contraseña actual no es correcta")).toBeVisible();
  await current!.fill(somebody.password);
  await again!.fill("Otra.2026");
  await save.click();
  await expect(
    dialog.getByText("La nueva contraseña y su confirmación son diferentes"),
  ).toBeVisible();
  await again!.fill("Nueva.2026");
  await save.click();
  await expect(page.getByText("Contraseña restablecida correctamente")).toBeVisible();
  await expect(page).toHaveURL(LOGIN);
  await signIn(page, somebody);
  await expect(page.getByText("No se pudo iniciar sesión, credenciales inválidas")).toBeVisible();
  await signIn(page, { ...somebody, password: "Nueva.2026" });
  await expect(page).toHaveURL(HOME);

  // Without the permission the entry is missing.
  await api.call("PUT", `/identity/roles/${somebody.roleId}`, { permissions: [] });
  await page.getByRole("button", { name: /^Menú de / }).click();
  await expect(page.getByRole("menuitem", { name: "Cerrar sesión" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Cambiar contraseña" })).toHaveCount(0);
});
