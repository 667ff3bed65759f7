/** Webhooks: created, signed, sent, failed, sent again and deleted. */
import type { Page } from "@playwright/test";
import { choose, expect, expectSaved, test, unique, type Api } from "./fixtures";
import { expectGood } from "./looks";
import { isSignedWith, Receiver } from "./receiver";

const PAGE = "/#/administration/webhooks";

test.skip(process.env["BASE_URL"] !== undefined, "that server trusts no receiver of ours");

interface Account {
  id: number;
  name: string;
}

/** Create a service account that may only list materials. */
const accountOf = (api: Api): Promise<Account> =>
  api.call("POST", "/api/service-accounts", {
    name: `Lectora ${unique()}`,
    permissions: ["ListMaterials"],
  });

const material = (api: Api) => api.call("POST", "/api/materials", { name: `Material ${unique()}` });

/** Create a webhook for changes of catalogs, with a secret. */
async function webhookOf(api: Api, url: string, account: Account) {
  const made = await api.call<{ id: number; name: string }>("POST", "/api/webhooks", {
    name: `ERP ${unique()}`,
    url,
    types: ["catalog.changed"],
    accountId: account.id,
  });
  await api.call("POST", `/api/webhooks/${made.id}/secret`);
  return made;
}

const refresh = (page: Page) => page.getByRole("button", { name: "Actualizar" }).click();

test(
  "an administrator creates a webhook, sees deliveries fail and arrive, sends them again, and deletes it",
  { tag: "@alone" },
  async ({ apiOf, pageOf }) => {
    test.slow();
    const api = await apiOf("admin");
    const account = await accountOf(api);
    const receiver = new Receiver();
    const url = await receiver.listen();
    const name = `ERP ${unique()}`;
    const admin = await pageOf("admin");
    await admin.goto(PAGE);
    await admin.getByRole("button", { name: "Nuevo webhook" }).first().click();
    const drawer = admin.getByRole("dialog", { name: "Nuevo webhook" });
    const save = drawer.getByRole("button", { name: "Guardar" });
    await save.click();
    await expect(drawer.getByText("Elija al menos un evento")).toBeVisible();
    await drawer.getByLabel("Nombre").fill(name);
    await choose(admin, drawer.getByRole("combobox", { name: "Cuenta de servicio" }), account.name);
    const materials = drawer.getByRole("checkbox", { name: /^Cambia un catálogo/ });
    await materials.check();
    await expect(materials).toHaveAccessibleName(/catalog\.changed$/);
    await expect(drawer.getByRole("checkbox", { name: /^Cambia el estado/ })).toHaveAccessibleName(
      /no puede leerlo: no se enviará/,
    );
    const address = drawer.getByLabel("Dirección");
    for (const [refused, why] of [
      ["http://erp.example.com/hook", "La dirección debe empezar con https://"],
      ["https://10.0.0.7/hook", "La dirección lleva a una red privada"],
      ["https://", "El valor no es válido"],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one address after the other
      await address.fill(refused);
      await save.click();
      await expect(drawer.getByText(why)).toBeVisible();
      // oxlint-enable no-await-in-loop
    }
    await address.fill(url);
    await save.click();
    await expectSaved(admin);

    const row = admin.getByRole("row").filter({ hasText: name });
    await expect(row).toContainText("Sin secreto");
    await row.getByRole("link", { name }).click();
    const opened = admin.getByRole("dialog", { name, exact: true });
    await opened.getByRole("button", { name: "Hacer secreto" }).click();
    const dialog = admin.getByRole("dialog", { name: `Secreto de «${name}»` });
    await dialog.getByRole("button", { name: "Hacer secreto" }).click();
    const shown = dialog.getByLabel("Secreto", { exact: true });
    await expect(shown).toHaveValue(/^whsec_.{44}$/);
    const first = await shown.inputValue();
    await dialog.getByRole("button", { name: "Cerrar" }).last().click();
    await material(api);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(isSignedWith(receiver.received[0]!, first)).toBe(true);

    // After a new secret is made, both secrets sign.
    await opened.getByRole("button", { name: "Hacer otro secreto" }).click();
    await expect(dialog.getByText(/El anterior firma también durante un día/)).toBeVisible();
    await dialog.getByRole("button", { name: "Hacer otro secreto" }).click();
    await expect(shown).toHaveValue(/^whsec_/);
    const second = await shown.inputValue();
    await dialog.getByRole("button", { name: "Cerrar" }).last().click();

    receiver.answers.push(503);
    await material(api);
    await expect.poll(() => receiver.received.length).toBe(2);
    expect([first, second].map((each) => isSignedWith(receiver.received[1]!, each))).toEqual([
      true,
      true,
    ]);
    await opened.getByRole("link", { name: /^Ver envíos/ }).click();
    await expect(admin.getByRole("heading", { name: `Envíos de «${name}»` })).toBeVisible();
    const failed = admin.getByRole("row").filter({ hasText: receiver.received[1]!.id });
    await expect(async () => {
      await refresh(admin);
      await expect(failed).toContainText("No llegó", { timeout: 1_000 });
    }).toPass();
    await expect(failed).toContainText("HTTP 503");
    await expect(failed).toContainText("El receptor falló.");
    await expect(failed).toContainText("Próximo:");
    await expect(admin.getByRole("main")).toContainText("Nada llega desde");

    // After a pause the failed delivery is sent at once, under the same id.
    await admin.getByRole("link", { name: "Webhooks" }).click();
    await row.getByRole("link", { name }).click();
    await opened.getByRole("button", { name: "Pausar" }).click();
    await expect(row).toContainText("En pausa");
    await opened.getByRole("button", { name: "Reactivar" }).click();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(2);
    expect(receiver.received[2]!.id).toBe(receiver.received[1]!.id);
    await opened.getByRole("link", { name: /^Ver envíos/ }).click();
    await expect(async () => {
      await refresh(admin);
      await expect(failed).toContainText("Entregado", { timeout: 1_000 });
    }).toPass();
    await admin.getByRole("combobox", { name: "Estado" }).click();
    await admin.getByTitle("Por entregar").click();
    await expect(admin.getByText("Nada coincide")).toBeVisible();
    await admin.getByRole("button", { name: "Quitar filtros" }).last().click();

    const { id } = receiver.received[0]!;
    const before = receiver.received.length;
    await admin.getByRole("button", { name: `Reenviar ${id}`, exact: true }).click();
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    expect(receiver.received.at(-1)!.id).toBe(id);
    await admin.getByRole("button", { name: "Reenviar lo reciente" }).click();
    const again = admin.getByRole("dialog", { name: /^¿Reenviar lo entregado/ });
    await again.getByRole("radio", { name: "La última hora" }).check();
    await again.getByRole("button", { name: "Reenviar" }).click();
    await expect.poll(() => receiver.received.length).toBe(before + 3);
    expect(receiver.received.slice(-2).map((each) => each.id)).toEqual(
      receiver.received.slice(0, 2).map((each) => each.id),
    );

    // The page says without a reload that the account is revoked. A list that others change again waits up to 25 s.
    await admin.goto(PAGE);
    await expect(row).toContainText("Activo");
    await api.call("DELETE", `/api/service-accounts/${account.id}`);
    await expect(row).toContainText("Cuenta revocada", { timeout: 30_000 });
    await row.getByRole("link", { name }).click();
    await opened.getByRole("button", { name: "Eliminar" }).click();
    const question = admin.getByRole("dialog", { name: "Confirmar eliminación" });
    await expect(question.getByText(/Se elimina con la lista de sus envíos/)).toBeVisible();
    await question.getByRole("button", { name: "Eliminar" }).click();
    await expect(row).toHaveCount(0);
    await receiver.close();
  },
);

test("a delivery says that its address cannot be reached, on a phone in the dark theme too", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const receiver = new Receiver();
  const url = await receiver.listen();
  await receiver.close();
  const webhook = await webhookOf(api, url, await accountOf(api));
  await material(api);
  const look = { size: "phone", language: "en", theme: "dark" } as const;
  const page = await pageOf("admin", look);
  await page.goto(`${PAGE}/${webhook.id}/deliveries`);
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByText("The address could not be connected to.")).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await expect(page.getByText("Did not arrive")).toBeVisible();
  await expectGood(page, "deliveries", look);
  await page.goto(`${PAGE}?record=${webhook.id}`);
  const drawer = page.getByRole("dialog", { name: webhook.name });
  await expect(drawer.getByText(/Nothing has arrived since/)).toBeVisible();
  await expectGood(page, "webhook", look);
  await api.call("DELETE", `/api/webhooks/${webhook.id}`);
});
