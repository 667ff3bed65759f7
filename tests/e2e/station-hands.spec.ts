/** Input at a station survives other scans and a refusal. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { approved, button, insideOf, openStation, scan, twoProcesses } from "./station";

const dialog = (page: Page, name?: string) =>
  page.getByRole("dialog", name === undefined ? {} : { name });

test("input for a line survives other scans, and a refusal because another tablet was faster", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const [one, other] = [await approved(admin, 9), await approved(admin, 8)];
  const page = await pageOf("worker");
  await openStation(page, process);
  await scan(page, one.code);
  await page.getByRole("button", { name: "3", exact: true }).click();
  await button(page, "Urgente").click();
  await scan(page, one.code);
  await expect(button(page, `Meter 3 a ${process.name}`)).toBeFocused();
  await scan(page, other.code);
  await expect(button(page, `Meter 8 a ${process.name}`)).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Notas" })).toHaveValue("");
  await scan(page, one.code);
  await expect(button(page, `Meter 3 a ${process.name}`)).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Notas" })).toHaveValue("Urgente");
  await expect(page.getByText("Sigue aquí lo que había escrito")).toBeVisible();

  // Another tablet's movement reaches the server before this one.
  await page.route(
    "**/production-process/in",
    async (route) => {
      await admin.move("in", one.line, process.id, 8);
      await route.continue();
    },
    { times: 1 },
  );
  await button(page, `Meter 3 a ${process.name}`).click();
  const opened = dialog(page, one.line.customerSalesOrderId);
  await expect(opened.getByRole("alert")).toHaveText(/El servidor no lo aceptó: .+[^.]\.$/);
  await expect(opened.getByRole("textbox", { name: "Notas" })).toHaveValue("Urgente");
  await page.getByRole("button", { name: "Borrar", exact: true }).click();
  await page.getByRole("button", { name: "1", exact: true }).click();
  // A finger that taps the same place too soon is taken for the same tap.
  await expect(async () => {
    if (await opened.isVisible())
      await button(page, `Meter 1 a ${process.name}`).click({ timeout: 1_000 });
    await expect(opened).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
  await expect.poll(() => insideOf(worker, one.line)).toBe(9);
  await expect(page.getByText("movimiento rechazado")).toHaveCount(0);
});
