/** Signing in, out, and coming back. */
import { expect, signIn, test } from "./fixtures";
import { Mailbox } from "./mailbox";
import { newPerson } from "./people";

const HOME = /#\/home$/;

test("a person signs in, sees the shell, and signs out after the bar has run", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page.getByRole("heading", { name: "Bienvenido" })).toBeVisible();
  await expect(page.getByText("Versión 2.3.0")).toBeVisible();
  await expect(page.getByRole("banner")).toHaveCount(0);
  await signIn(page, "admin");
  await expect(page).toHaveURL(/#\/dashboard$/);
  await page.getByRole("link", { name: /ir al inicio$/ }).click();
  await expect(page).toHaveURL(HOME);
  await expect(page.getByText("¡Bienvenido al sistema!")).toBeVisible();

  await page.getByRole("button", { name: /^Menú de / }).click();
  await expect(page.getByText("Versión 2.3.0")).toBeVisible();
  await page.getByRole("menuitem", { name: "Cerrar sesión" }).click();
  const started = Date.now();
  await expect(page.getByRole("progressbar", { name: "Cerrando sesión" })).toBeVisible();
  await expect(page).toHaveURL(/#\/login$/);
  expect(Date.now() - started).toBeGreaterThan(1_200);
  const kept = await page.evaluate(() => Object.keys(localStorage));
  for (const key of ["token", "userData", "userPermissions", "dateLogin"]) {
    expect(kept).not.toContain(key);
  }
});

test("what is wrong with the form stands beside the fields and in a message", async ({ page }) => {
  await page.goto("/");
  const submit = page.getByRole("button", { name: "Iniciar sesión" });
  await submit.click();
  await expect(page.getByText("El correo es obligatorio")).toBeVisible();
  await expect(page.getByText("La contraseña es obligatoria")).toBeVisible();
  await expect(page.getByText("Es necesario ingresar el correo electrónico")).toBeVisible();
  await page.locator("#email").fill("ana@taller");
  await submit.click();
  await expect(page.getByText("Formato de correo electrónico inválido")).toBeVisible();
  await page.locator("#email").fill("ana");
  await expect(page.getByText("Correo no válido")).toBeVisible();
});

test("a wrong password is refused in the language on screen, and what was typed stays", async ({
  page,
}) => {
  await page.goto("/");
  await page.locator("#email").fill("nobody@obrador.test");
  await page.locator("#password").fill("Wrong.2026");
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await expect(page.getByText("No se pudo iniciar sesion, credenciales invalidas")).toBeVisible();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByText("Cannot sign in, invalid credentials")).toBeVisible();
  await expect(page.locator("#email")).toHaveValue("nobody@obrador.test");
  expect(await page.evaluate(() => localStorage.getItem("language"))).toBe("en");
});

test("a server out of reach is said as such", async ({ page }) => {
  await page.goto("/");
  await page.route("**/identity/**", (route) => route.abort());
  await signIn(page, "admin");
  await expect(page.getByText("Error al comunicarse con el servidor")).toBeVisible();
});

test("too many failures are told apart from a wrong password", async ({ page, request }) => {
  const username = `unknown-${Date.now()}@obrador.test`;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one failure after the other fills the count
    const answer = await request.post("/identity/authentication/sign-in", {
      data: { username, password: "Wrong.2026", rememberLogin: true },
    });
    expect(answer.status()).toBe(401);
  }
  await page.goto("/");
  await page.locator("#email").fill(username);
  await page.locator("#password").fill("Wrong.2026");
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
  await expect(page.getByText(/Demasiados intentos\. Espere \d+ minutos?/)).toBeVisible();
});

test("the password can be shown and hidden", async ({ page }) => {
  await page.goto("/");
  const password = page.locator("#password");
  await password.fill("secret");
  await page.getByRole("button", { name: "Mostrar la contraseña" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Ocultar la contraseña" }).click();
  await expect(password).toHaveAttribute("type", "password");
});

test("a locked account is told what a wrong password is told", async ({ apiOf, page }) => {
  const somebody = await newPerson(await apiOf("admin"), [], { locked: true });
  await page.goto("/");
  await signIn(page, somebody);
  await expect(page.getByText("No se pudo iniciar sesion, credenciales invalidas")).toBeVisible();
});

test("recovering asks for an e-mail, and says the same of a known and an unknown one", async ({
  page,
}) => {
  await page.goto("/");
  const recover = page.getByRole("button", { name: "Recuperar contraseña" });
  await recover.click();
  await expect(page.getByText("Es necesario ingresar el correo electrónico")).toBeVisible();
  const words: string[] = [];
  for (const email of ["admin@obrador.test", "nobody@obrador.test"]) {
    // oxlint-disable no-await-in-loop -- one window after the other
    await page.locator("#email").fill(email);
    const opened = page.context().waitForEvent("page");
    await recover.click();
    const window = await opened;
    await expect(window).toHaveURL(`/#/Recuperar/${encodeURIComponent(email)}`);
    const said = window.getByRole("main").getByRole("status");
    await expect(said).not.toHaveText("Solicitando el enlace…");
    words.push((await said.textContent()) ?? "");
    await window.close();
    // oxlint-enable no-await-in-loop
  }
  expect(words[0]).toMatch(/^(Si la dirección|Pida a un administrador)/);
  expect(words[1]).toBe(words[0]);
});

test("without a mail server an administrator is asked", async ({ page }) => {
  await page.route("**/recover-password", (route) => route.fulfill({ json: { mail: false } }));
  await page.goto("/#/Recuperar/ana%40obrador.test");
  await expect(page.getByText(/^Pida a un administrador/)).toBeVisible();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByText(/^Ask an administrator/)).toBeVisible();
  await expect(page).toHaveTitle("Recover password · Obrador");
});

test("the mailed link sets a new password, once", async ({ apiOf, page }) => {
  const port = Number(process.env["E2E_MAIL"] ?? 0);
  test.skip(port === 0, "the server was started without this mailbox");
  const mailbox = new Mailbox();
  await mailbox.listen(port);
  const somebody = await newPerson(await apiOf("admin"), []);
  await page.goto(`/#/Recuperar/${encodeURIComponent(somebody.email)}`);
  await expect(page.getByText(/^Si la dirección pertenece a una cuenta/)).toBeVisible();
  const link = /#\/Restablecer\/[\w-]+/.exec(await mailbox.mailTo(somebody.email))?.[0];
  await mailbox.close();
  await page.goto(`/${link}`);
  const save = page.getByRole("button", { name: "Guardar contraseña" });
  await save.click();
  await expect(page.getByText("Complete los campos obligatorios")).toBeVisible();
  await page.locator("#newPassword").fill("corta");
  await page.locator("#confirmNewPassword").fill("Corta.2026");
  await save.click();
  await expect(
    page.getByText("La nueva contraseña y su confirmación son diferentes").last(),
  ).toBeVisible();
  await expect(page.locator("#newPassword-error")).toContainText("una mayúscula");
  await page.locator("#newPassword").fill("Corta.2026");
  await save.click();
  await expect(page.getByText("Contraseña restablecida correctamente")).toBeVisible();
  await expect(page).toHaveURL(/#\/login$/);
  await signIn(page, { email: somebody.email, password: "Corta.2026" });
  await expect(page).toHaveURL(HOME);

  await page.goto(`/${link}`);
  await page.locator("#newPassword").fill("Otra.2026");
  await page.locator("#confirmNewPassword").fill("Otra.2026");
  await save.click();
  await expect(page.getByText(/^El enlace ya no es válido/)).toBeVisible();
});

test("a session that the server ended goes to the login and comes back to the same page", async ({
  page,
  request,
}) => {
  await page.goto("/");
  await signIn(page, "worker");
  await expect(page).toHaveURL(HOME);
  await page.goto("/#/shop-floor?process=1");
  await expect(page.getByRole("heading", { name: "Piso de producción" })).toBeVisible();
  await expect(page.getByRole("status").getByText("En vivo")).toBeVisible();
  const token = await page.evaluate(() => localStorage.getItem("token"));
  await request.post("/identity/authentication/sign-out", {
    headers: { Authorization: `Bearer ${token}` },
  });
  await expect(page).toHaveURL(/#\/login$/);
  await signIn(page, "worker");
  await expect(page).toHaveURL(/#\/shop-floor\?process=1$/);
  await expect(page.getByRole("heading", { name: "Piso de producción" })).toBeVisible();
});

test("a session of another day is over", async ({ page, pageOf }) => {
  const signedIn = await pageOf("worker");
  await signedIn.goto("/#/home");
  await expect(signedIn).toHaveURL(HOME);
  await signedIn.evaluate(() => localStorage.setItem("dateLogin", "2020-01-01"));
  await signedIn.reload();
  await expect(signedIn).toHaveURL(/#\/login$/);
  expect(await signedIn.evaluate(() => localStorage.getItem("token"))).toBeNull();
  await page.goto("/#/home");
  await expect(page).toHaveURL(/#\/login$/);
});

test("signing out in one tab signs out the other", async ({ page }) => {
  await page.goto("/");
  await signIn(page, "worker");
  await expect(page).toHaveURL(HOME);
  const other = await page.context().newPage();
  await other.goto("/#/shop-floor");
  await expect(other.getByRole("heading", { name: "Piso de producción" })).toBeVisible();
  await page.getByRole("button", { name: /^Menú de / }).click();
  await page.getByRole("menuitem", { name: "Cerrar sesión" }).click();
  await expect(other).toHaveURL(/#\/login$/);
});
