/** Signing in, signing out and recovering a password. */
import { expect, signIn, test } from "./fixtures";
import { Mailbox } from "./mailbox";
import { newPerson } from "./people";

const HOME = /#\/home$/;

test("a person signs in, sees the shell, and signs out of every tab after the progress bar", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page.getByRole("heading", { name: "Bienvenido" })).toBeVisible();
  await expect(page.getByText("Versión 2.3.0")).toBeVisible();
  await expect(page.getByRole("banner")).toHaveCount(0);
  await signIn(page, "admin");
  // The demo begins at its doors.
  await expect(page).toHaveURL(HOME);
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("link", { name: /ir al inicio$/ }).click();
  await expect(page).toHaveURL(HOME);
  await expect(page.getByText("¡Le damos la bienvenida!")).toBeVisible();

  const other = await page.context().newPage();
  await other.goto("/#/shop-floor");
  await expect(other.getByRole("heading", { name: "Piso de producción" })).toBeVisible();
  await page.bringToFront();
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
  await expect(other).toHaveURL(/#\/login$/);
});

test("the sign-in says why it is refused, and keeps the input", async ({
  apiOf,
  page,
  request,
}) => {
  await page.goto("/");
  const [email, password] = [page.locator("#email"), page.locator("#password")];
  await expect(email).toBeFocused();
  const submit = page.getByRole("button", { name: "Iniciar sesión" });
  await submit.click();
  await expect(page.getByText("El correo es obligatorio")).toBeVisible();
  await expect(page.getByText("La contraseña es obligatoria")).toBeVisible();
  await expect(page.getByText("Es necesario ingresar el correo electrónico")).toBeVisible();
  // The server refused nothing.
  await expect(page.getByRole("button", { name: "Error", exact: true })).toHaveCount(0);
  await email.fill("ana@taller");
  await submit.click();
  await expect(page.getByText("Formato de correo electrónico inválido")).toBeVisible();
  await email.fill("ana");
  await expect(page.getByText("Correo no válido")).toBeVisible();

  await password.fill("Wrong.2026");
  await page.getByRole("button", { name: "Mostrar la contraseña" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Ocultar la contraseña" }).click();
  await expect(password).toHaveAttribute("type", "password");

  // Too many attempts get another message than a wrong password.
  const throttled = `unknown-${Date.now()}@obrador.test`;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one failure after the other fills the count
    const answer = await request.post("/identity/authentication/sign-in", {
      data: { username: throttled, password: "Wrong.2026", rememberLogin: true },
    });
    expect(answer.status()).toBe(401);
  }
  await email.fill(throttled);
  await submit.click();
  await expect(page.getByText(/Demasiados intentos\. Espere \d+ minutos?/)).toBeVisible();

  await page.route("**/identity/**", (route) => route.abort());
  await submit.click();
  await expect(page.getByText("Error al comunicarse con el servidor")).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });

  // A locked account gets the same message as a wrong password.
  const locked = await newPerson(await apiOf("admin"), [], { locked: true });
  await signIn(page, locked);
  const refused = page.getByText("No se pudo iniciar sesión, credenciales inválidas");
  await expect(refused).toBeVisible();
  // The message passes; the form keeps a trace until the input changes.
  await expect(refused).toBeHidden();
  const trace = page.getByText("El correo y la contraseña no coinciden con ninguna cuenta");
  await expect(trace).toBeVisible();
  await password.fill("Otra.2026");
  await expect(trace).toBeHidden();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
  await email.fill("nobody@obrador.test");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByText("Cannot sign in, invalid credentials")).toBeVisible();
  await expect(email).toHaveValue("nobody@obrador.test");
  expect(await page.evaluate(() => localStorage.getItem("language"))).toBe("en");
});

test("recovery needs an e-mail, answers the same for unknown ones, and names the administrator without a mail server", async ({
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

  await page.route("**/recover-password", (route) => route.fulfill({ json: { mail: false } }));
  await page.goto("/#/Recuperar/ana%40obrador.test");
  await expect(page.getByText(/^Pida a un administrador/)).toBeVisible();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByText(/^Ask an administrator/)).toBeVisible();
  await expect(page).toHaveTitle("Recover password · Obrador");
});

test("the link in the mail sets a new password once", async ({ apiOf, page, server }) => {
  test.skip(server.mail === 0, "the server was started without this mailbox");
  const mailbox = new Mailbox();
  await mailbox.listen(server.mail);
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
