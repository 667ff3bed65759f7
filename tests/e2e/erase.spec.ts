/** Erasing a person: it needs their full name, and it is final. */
import { expect, signIn, test } from "./fixtures";
import { expectGood } from "./looks";
import { newPerson } from "./people";

test("a person is erased only after their full name is typed, and is then shown by a number", async ({
  apiOf,
  pageOf,
  page,
}) => {
  const api = await apiOf("admin");
  const person = await newPerson(api, ["ListItems"]);
  const admin = await pageOf("admin");
  await admin.goto(`/#/administration/users?record=${person.id}&search=${person.email}`);
  await admin.getByRole("button", { name: "Borrar datos personales" }).click();
  const dialog = admin.getByRole("dialog", {
    name: `¿Borrar los datos personales de ${person.name}?`,
  });
  const accept = dialog.getByRole("button", { name: "Sí, borrar los datos" });
  const field = dialog.getByLabel(/escriba el nombre completo/);
  await expect(field).toBeFocused();
  await expect(accept).toBeDisabled();
  await expectGood(admin, "erase", { size: "office", language: "es", theme: "light" });
  const hand = { size: "phone", language: "es", theme: "dark" } as const;
  const phone = await pageOf("admin", hand);
  await phone.goto(`/#/administration/users?erase=${person.id}`);
  await expect(phone.getByRole("dialog").getByRole("textbox")).toBeVisible();
  await expect(phone.locator("main .ant-skeleton")).toHaveCount(0);
  await expectGood(phone, "erase", hand);
  await field.fill(person.name.slice(0, -1));
  await expect(accept).toBeDisabled();
  await field.press("Control+Enter");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "No, conservar" }).click();
  await expect(dialog).toBeHidden();
  const path = `/identity/users/${person.id}`;
  expect(await api.call<{ fullName: string }>("GET", path)).toMatchObject({
    fullName: person.name,
  });

  await admin.goto(`/#/administration/users?erase=${person.id}`);
  await field.fill(`  ${person.name.toUpperCase()} `);
  await accept.click();
  // The sweep reads every text that is kept.
  await expect(
    admin.getByText(`Datos borrados: Persona borrada #${person.id}`).first(),
  ).toBeVisible({ timeout: 30_000 });
  await expect(dialog).toBeHidden();
  const erased = await api.call<{ email: string; active: boolean; erased: boolean }>("GET", path);
  expect(erased).toMatchObject({ erased: true, active: false });
  expect(JSON.stringify(erased)).not.toContain(person.email);

  await admin.goto(`/#/administration/users?record=${person.id}`);
  const opened = admin.getByRole("dialog", { name: `Persona borrada #${person.id}` });
  await expect(opened).toBeVisible();
  await expect(opened.getByRole("button", { name: "Borrar datos personales" })).toHaveCount(0);
  await expect(opened.getByRole("button", { name: "Guardar" })).toHaveCount(0);

  await page.goto("/");
  await signIn(page, person);
  await expect(page.getByText(/credenciales inv[aá]lidas/)).toBeVisible();
});
