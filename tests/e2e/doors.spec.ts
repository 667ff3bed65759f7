/** Ways of signing in beside the password, on a device with passkeys and with an authenticator app. */
import { createHmac } from "node:crypto";
import type { Page } from "@playwright/test";
import { emptyInstallation, type Installation } from "./emptyInstallation";
import { expect, test } from "./fixtures";

let installation: Installation;
let site: string;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  installation = await emptyInstallation();
  // Passkeys are bound to a name: an address is none.
  site = installation.url.replace("127.0.0.1", "localhost");
});
test.afterAll(() => installation.end());

/** A device that checks its person, as a phone does by finger. */
async function giveDevice(page: Page): Promise<(there: boolean) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (enabled) =>
    devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
}

/** The code of an authenticator app (RFC 6238) at this moment, `steps` half minutes later. */
function codeOf(secret: string, steps = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((one) => letters.indexOf(one).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac("sha1", key).update(counter).digest();
  const from = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function typePassword(page: Page): Promise<void> {
  await page.locator("#email").fill(installation.owner.email);
  await page.locator("#password").fill(installation.owner.password);
  await page.getByRole("button", { name: "Iniciar sesión" }).click();
}

async function confirm(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Confirme con su contraseña actual").fill(installation.owner.password);
  await dialog.getByRole("button", { name: "Confirmar" }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Menú de / }).click();
  await page.getByRole("menuitem", { name: "Cerrar sesión" }).click();
  await expect(page).toHaveURL(/#\/login$/);
}

test("a person adds a passkey, signs in with it alone, and removes it", async ({ browser }) => {
  const page = await (await browser.newContext({ locale: "es" })).newPage();
  const present = await giveDevice(page);
  await page.goto(`${site}/#/account/ways`);
  await typePassword(page);
  await expect(page.getByText("Aún no tiene llaves de acceso.")).toBeVisible();
  await page.getByRole("button", { name: "Agregar una llave de acceso" }).click();
  await page.getByRole("dialog").getByLabel("Nombre de la llave").fill("Teléfono azul");
  await confirm(page);
  await expect(page.getByText("Llave «Teléfono azul» agregada")).toBeVisible();
  await expect(page.getByText("sin usar")).toBeVisible();

  await present(false); // the device waits for its person, in the list of the e-mail field too
  await signOut(page);
  await expect(page.getByRole("button", { name: "Iniciar sesión" })).toBeVisible();
  await present(true);
  await page.getByRole("button", { name: "Entrar con una llave de acceso" }).click();
  await expect(page).not.toHaveURL(/#\/login/);
  await page.goto(`${site}/#/account/ways`);
  await expect(page.getByText(/usada por última vez/)).toBeVisible();

  await page.getByRole("button", { name: "Quitar la llave Teléfono azul" }).click();
  await confirm(page);
  await expect(page.getByText("Aún no tiene llaves de acceso.")).toBeVisible();
  await page.context().close();
});

test("a person sets up an app, gives its code at the sign-in, and no code counts twice", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ locale: "es" })).newPage();
  await page.goto(`${site}/#/account/ways`);
  await typePassword(page);
  await page.getByRole("button", { name: "Configurar una aplicación" }).click();
  await confirm(page);
  await expect(page.getByAltText("Código QR para la aplicación")).toBeVisible();
  const secret = (await page.locator("code").first().textContent()) ?? "";
  await page.getByLabel("Primer código de la aplicación").fill(codeOf(secret, -1));
  await page.getByRole("button", { name: "Activar" }).click();
  await expect(page.getByRole("list", { name: "Códigos de recuperación" })).toBeVisible();
  const recovery = (await page.locator("code").first().textContent()) ?? "";
  await signOut(page);

  await typePassword(page);
  await expect(page.getByRole("heading", { name: "Segundo paso" })).toBeVisible();
  const code = codeOf(secret, 1);
  await page.getByLabel("Código").fill(code);
  await page.getByRole("button", { name: "Continuar" }).click();
  await expect(page).not.toHaveURL(/#\/login/);
  await signOut(page);

  await typePassword(page);
  await page.getByLabel("Código").fill(code);
  await page.getByRole("button", { name: "Continuar" }).click();
  await expect(page.getByText("El código no es correcto, ya se usó o ya venció")).toBeVisible();
  await page.getByLabel("Código").fill(recovery.toLowerCase());
  await page.getByRole("button", { name: "Continuar" }).click();
  await expect(page).not.toHaveURL(/#\/login/);
  await page.goto(`${site}/#/account/ways`);
  await expect(page.getByText(/Le quedan 9 códigos/)).toBeVisible();
  await page.context().close();
});
