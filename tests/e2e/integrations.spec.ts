/** Service accounts: created, their token shown once, used, replaced and revoked. */
import { AxeBuilder } from "@axe-core/playwright";
import type { APIRequestContext } from "@playwright/test";
import { expect, expectSaved, test, unique } from "./fixtures";

/** The status that a program with this token gets. */
async function ask(request: APIRequestContext, token: string, path: string): Promise<number> {
  const response = await request.get(path, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return response.status();
}

test("the token of a service account opens only its permissions, until it is replaced or revoked", async ({
  pageOf,
  request,
}) => {
  const name = `Tienda ${unique()}`;
  const admin = await pageOf("admin");
  await admin.goto("/#/administration/integrations");
  await admin.getByRole("button", { name: "Nueva cuenta de servicio" }).first().click();
  const drawer = admin.getByRole("dialog", {
    name: "Nueva cuenta de servicio",
  });
  await drawer.getByLabel("Nombre").fill(name);
  const search = drawer.getByRole("searchbox", { name: "Buscar un permiso" });
  await search.fill("usuarios");
  await expect(drawer.getByText("Ningún permiso coincide")).toBeVisible();
  await search.fill("Ver productos");
  await drawer.getByRole("checkbox", { name: /^Ver productos/ }).check();
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(admin);

  const row = admin.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Sin token");
  await row.getByRole("link", { name }).click();
  const opened = admin.getByRole("dialog", { name, exact: true });
  await opened.getByRole("button", { name: "Hacer token" }).click();
  const dialog = admin.getByRole("dialog", { name: `Token de «${name}»` });
  const day = dialog.getByLabel("Último día");
  await day.fill("2020-01-31");
  await day.press("Tab"); // close the calendar, which covers the button
  await dialog.getByRole("button", { name: "Hacer token" }).click();
  await expect(dialog.getByText(/Se espera una fecha entre/)).toBeVisible();
  await day.fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
  await day.press("Tab");
  await dialog.getByRole("button", { name: "Hacer token" }).click();
  const shown = dialog.getByLabel("Token", { exact: true });
  await expect(shown).toHaveValue(/^obr_[\w-]{43}$/);
  const token = await shown.inputValue();
  const { violations } = await new AxeBuilder({ page: admin }).include(".ant-modal").analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  expect(await ask(request, token, "/api/items?limit=1")).toBe(200);
  expect(await ask(request, token, "/api/materials?limit=1")).toBe(403);
  await dialog.getByRole("button", { name: "Cerrar" }).last().click();
  await expect(opened.getByText(/Tiene un token que vale hasta/)).toBeVisible();
  await expect(row).toContainText("Token vigente");

  await opened.getByRole("button", { name: "Hacer otro token" }).click();
  await dialog.getByRole("button", { name: "Hacer otro token" }).click();
  await expect(shown).not.toHaveValue(token);
  const another = await shown.inputValue();
  expect(await ask(request, token, "/api/items?limit=1")).toBe(401);
  expect(await ask(request, another, "/api/items?limit=1")).toBe(200);
  await dialog.getByRole("button", { name: "Cerrar" }).last().click();

  await opened.getByRole("button", { name: "Revocar la cuenta" }).click();
  await admin.getByRole("button", { name: "Sí, revocar" }).click();
  await expect(row).toHaveCount(0);
  expect(await ask(request, another, "/api/items?limit=1")).toBe(401);
});
