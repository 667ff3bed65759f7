/** PINs and badges: an administrator gives them, and nobody can read them again. */
import { expect, test } from "./fixtures";
import { newPerson } from "./people";

test("a PIN and a badge are given, identify the person at a station, and are removed", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { id, email } = await newPerson(api, []);
  const station = await apiOf("worker");
  const pin = String(100_000 + (Date.now() % 899_999));
  const admin = await pageOf("admin");
  await admin.goto(`/#/administration/users?record=${id}`);
  await admin.getByRole("button", { name: "PIN y gafete" }).click();
  const dialog = admin.getByRole("dialog", { name: /^PIN y gafete de/ });
  await expect(dialog.getByText("No tiene PIN.")).toBeVisible();
  await dialog.getByLabel("PIN nuevo").fill("12345");
  await dialog.getByRole("button", { name: "Guardar PIN" }).click();
  await expect(dialog.getByText("Escriba seis dígitos")).toBeVisible();
  await dialog.getByLabel("PIN nuevo").fill("777777");
  await dialog.getByRole("button", { name: "Guardar PIN" }).click();
  await expect(dialog.getByText(/fácil de adivinar/)).toBeVisible();
  await dialog.getByLabel("PIN nuevo").fill(pin);
  await dialog.getByRole("button", { name: "Guardar PIN" }).click();
  await expect(dialog.getByText(/^Tiene PIN/)).toBeVisible();
  await expect(dialog.getByLabel("PIN nuevo")).toHaveValue("");
  const named = await station.call<{ user: { id: number } }>("POST", "/api/station/operator", {
    pin,
  });
  expect(named.user.id).toBe(id);

  await dialog.getByRole("button", { name: "Hacer gafete" }).click();
  const code = (await dialog.locator(".ob-badge__code").textContent()) ?? "";
  expect(code).toMatch(/^B1[A-Z2-7]{26}$/);
  await expect(dialog.getByText(/no se vuelve a mostrar/)).toBeVisible();
  const badged = await station.call<{ user: { id: number } }>("POST", "/api/station/operator", {
    badge: code,
  });
  expect(badged.user.id).toBe(id);
  await admin.emulateMedia({ media: "print" });
  await expect(admin.locator(".ob-badge svg")).toBeVisible();
  await expect(admin.getByText("Imprimir gafete")).toBeHidden();
  await admin.emulateMedia({ media: "screen" });

  await dialog.getByRole("button", { name: "Retirar gafete" }).click();
  await expect(dialog.getByText("No tiene gafete.")).toBeVisible();
  await expect(dialog.locator(".ob-badge")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Quitar PIN" }).click();
  await expect(dialog.getByText("No tiene PIN.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cerrar" }).last().click();
  await expect(dialog).toBeHidden();
  await admin.getByRole("searchbox").fill(email);
  await expect(admin.getByRole("row", { name: new RegExp(email) })).toBeVisible();
});
