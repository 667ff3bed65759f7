/** When a line will be done: said on every screen, explained, and tried with "this one first". */
import type { LineRow, Today } from "@/contract";
import { expect, test, type Api } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";

/** The day by which four of five are done, such as "a más tardar el 19 mar (4 de 5)". */
const BY = /a más tardar el \d+ .*\(4 de 5\)$/;
const CHANCES = /^Se termina a más tardar el \d{4}-\d\d-\d\d \(4 de 5\)/;
/** Milliseconds until the worker has made the forecasts of lines that changed: it does so once a minute. */
const MADE_WITHIN = 75_000;

/** A line of the demo that pieces move through, once it has a forecast. */
async function forecastLine(api: Api): Promise<LineRow> {
  const read = async () => {
    const asked = "/api/sales-order/positions?status=InProcess&ordering=id&limit=50";
    const rows = await api.call<LineRow[]>("GET", asked);
    return rows.find(({ forecast }) => forecast !== null);
  };
  await expect.poll(read, { timeout: MADE_WITHIN }).toBeDefined();
  return (await read())!;
}

/** Wait until a line that the first page of the office lists has a forecast. */
async function expectForecastAtHome(api: Api): Promise<void> {
  const read = async () => {
    const hoy = await api.call<Today>("GET", "/api/reports/today");
    const parts = [hoy.late, hoy.likelyLate, hoy.dueThisWeek, hoy.insideOverADay];
    return parts.flatMap(({ lines }) => lines).some(({ forecast }) => forecast !== null);
  };
  await expect.poll(read, { timeout: MADE_WITHIN }).toBe(true);
}

for (const size of ["handheld", "office"] as const) {
  test(`a forecast is said everywhere, explained, and tried with this line first (${size})`, async ({
    apiOf,
    pageOf,
  }) => {
    test.slow(); // It may wait for the worker.
    const api = await apiOf("admin");
    const line = await forecastLine(api);
    const { salesOrderId, position, customerSalesOrderId: po } = line;
    const page = await pageOf("admin", { size });
    await page.goto(`/#/operations/sales-orders/${salesOrderId}/position/${position}/a`);
    const detail = page.getByRole("article");
    await expect(detail.getByText(BY)).toBeVisible();
    await expectWithin(page, `a line with its forecast: ${size}`);

    await detail.getByRole("button", { name: "Por qué", exact: true }).click();
    const name = `Pronóstico de la línea ${position} de ${po}`;
    const why = page.getByRole("dialog", { name });
    await expect(why.getByText(CHANCES)).toBeVisible();
    await expect(why.getByRole("heading", { name: "Líneas parecidas" })).toBeVisible();
    await expectWithin(page, `why a line is done then: ${size}`);

    const first = why.getByRole("region", { name: "¿Y si va primero?" });
    await expect(first.getByRole("status")).toHaveText("");
    await first.getByRole("button", { name: "Calcular" }).click();
    await expect(first.getByRole("status")).toHaveText(
      /^(Se terminaría a más tardar el \d{4}-\d\d-\d\d|No ganaría nada)/,
    );
    await expectWithin(page, `what it gains a line to go first: ${size}`);
    await expectAccessible(page, `why a line is done then: ${size}`);
    await why.getByRole("button", { name: "Cerrar" }).last().click();
    await expect(why).toHaveCount(0);

    await expectForecastAtHome(api);
    for (const path of [
      `/operations/sales-orders/${salesOrderId}`,
      `/operations/orders?search=${po}`,
      "/home",
    ]) {
      // oxlint-disable no-await-in-loop -- one page after the other
      await page.goto(`/#${path}`);
      await expect(page.locator("main").getByText(BY).first()).toBeVisible();
      await expectWithin(page, `${path}: ${size}`);
      // oxlint-enable no-await-in-loop
    }
  });
}
