/** My notices: what a person chooses is kept, and the bell leaves out what is off. */
import { expect, test } from "./fixtures";
import { newPerson } from "./people";

const PAGE = "/#/account/notices";
/** What a person of the office holds who is told of all lines. */
const READS = ["ListOrders", "ListSalesOrders", "NoAutoLogoutInactivity"];

test("what a person chooses is saved at once and found again", async ({ apiOf, pageOf }) => {
  const somebody = await newPerson(await apiOf("admin"), READS);
  const page = await pageOf(somebody);
  await page.goto("/#/home");
  await page.getByRole("button", { name: /^Menú de/ }).click();
  await page.getByRole("menuitem", { name: "Mis avisos" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mis avisos" })).toBeVisible();
  const tick = (name: string) => page.getByRole("checkbox", { name });
  await expect(tick("Líneas atrasadas: Campana")).toBeChecked();
  await tick("Líneas atrasadas: Campana").click();
  await expect(tick("Líneas atrasadas: Campana")).not.toBeChecked();
  await tick("Piezas sin salida: Correo").click();
  await expect(tick("Piezas sin salida: Correo")).toBeChecked();
  await tick("Cada mañana a las 7:00").click();
  await expect(tick("Cada mañana a las 7:00")).toBeChecked();
  await page.getByLabel("Desde").fill("22:30");
  await page.getByRole("button", { name: "Guardar horas" }).click();
  await expect(page.getByRole("button", { name: "Guardar horas" })).toBeDisabled();
  await page.reload();
  await expect(tick("Líneas atrasadas: Campana")).not.toBeChecked();
  await expect(tick("Piezas sin salida: Correo")).toBeChecked();
  await expect(tick("Cada mañana a las 7:00")).toBeChecked();
  await expect(page.getByLabel("Desde")).toHaveValue("22:30");
  const kept = await (
    await apiOf(somebody)
  ).call<{ digest: boolean; quietFrom: string }>("GET", "/api/notices/preferences");
  expect([kept.digest, kept.quietFrom]).toEqual([true, "22:30"]);
});

test("the bell leaves out a kind that is off there", async ({ apiOf, pageOf }) => {
  const somebody = await newPerson(await apiOf("admin"), READS);
  const page = await pageOf(somebody);
  await page.goto("/#/home");
  const bell = page.getByRole("button", { name: /notificaci(ón|ones) sin leer$/ });
  await expect(bell).not.toHaveAccessibleName(/^0 /);
  await page.goto(PAGE);
  const kinds = ["Líneas con probable retraso", "Líneas atrasadas", "Piezas sin salida"];
  for (const kind of [...kinds, "Respuestas de clientes"]) {
    // oxlint-disable no-await-in-loop -- one after the other, as a person ticks them
    const tick = page.getByRole("checkbox", { name: `${kind}: Campana` });
    await tick.click();
    await expect(tick).not.toBeChecked();
    await expect(tick).toBeEnabled();
    // oxlint-enable no-await-in-loop
  }
  await expect(bell).toHaveAccessibleName(/^0 /);
});
