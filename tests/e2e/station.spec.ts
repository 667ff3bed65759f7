/** The station: a scan anywhere, one press, and nothing lost when the server is away. */
import type { Page } from "@playwright/test";
import type { Line, LineRow } from "@/contract";
import { expect, test, type Api } from "./fixtures";
import { approved, button, insideOf, lineNow, openStation, scan, twoProcesses } from "./station";

/** A line of the demo that nobody has moved: no movement can be reported of a time before its line was ordered. */
async function longApproved(admin: Api): Promise<Line> {
  const rows = await admin.call<LineRow[]>("GET", "/api/sales-order/positions?status=Approved");
  const row = rows.find(
    ({ position, creationDate }) =>
      position === 1 && Date.parse(creationDate) < Date.now() - 10 * 60_000,
  );
  if (row === undefined) throw new Error("An approved line of the demo is needed.");
  return lineNow(admin, row);
}

const key = (page: Page, digit: string) => page.getByRole("button", { name: digit, exact: true });

test("a scan opens the line and one press moves it in and out", async ({ apiOf, pageOf }) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 18);
  const page = await pageOf("worker");
  await openStation(page, process);
  await scan(page, code);
  await button(page, `Meter 18 a ${process.name}`).click();
  await expect.poll(() => insideOf(worker, line)).toBe(18);
  const inside = page.getByRole("region", { name: "Adentro" });
  await expect(button(page, new RegExp(line.customerSalesOrderId)).first()).toBeVisible();
  await expect(inside.getByText(line.customerSalesOrderId)).toBeVisible();
  await scan(page, code);
  // Beside it stands the hand-over to the next process, once the server has said which.
  await page.getByRole("button", { name: `Sacar 18 de ${process.name}`, exact: true }).click();
  await expect.poll(() => insideOf(worker, line)).toBe(0);
  await expect(inside.getByText(line.customerSalesOrderId)).toHaveCount(0);
});

test("a code of nothing says so, and presses nothing", async ({ apiOf, pageOf }) => {
  const worker = await apiOf("worker");
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(await apiOf("admin"), 3);
  const page = await pageOf("worker");
  await openStation(page, process);
  await scan(page, code);
  await expect(button(page, `Meter 3 a ${process.name}`)).toBeFocused();
  await scan(page, "7501055300075");
  await expect(page.getByRole("alert")).toBeVisible();
  expect(await insideOf(worker, line)).toBe(0);
});

test("by hand two presses move a part, which five seconds long can be taken back", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line } = await approved(admin, 18);
  const entered = await worker.move("in", line, process.id);
  const page = await pageOf("worker");
  await openStation(page, process);
  const row = page
    .getByRole("region", { name: "Adentro" })
    .getByRole("button", { name: new RegExp(line.customerSalesOrderId) });
  await row.click();
  await button(page, "½ · 9").click();
  await button(page, "Borrar").click();
  await expect(page.getByText("Escriba cuántas piezas")).toBeVisible();
  for (const digit of ["9", "9"]) await key(page, digit).click(); // oxlint-disable-line no-await-in-loop
  await expect(page.getByText("Solo hay 18 adentro")).toBeVisible();
  await expect(button(page, `Sacar 99 de ${process.name}`).first()).toBeDisabled();
  await button(page, "¼ · 5").click();
  await button(page, `Sacar 5 de ${process.name}`).first().click();
  await expect.poll(() => insideOf(worker, entered)).toBe(13);
  await button(page, /^Deshacer \(/).click();
  await expect.poll(() => insideOf(worker, entered)).toBe(18);
  await expect(page.getByText("Movimiento deshecho")).toBeVisible();
});

test("one of the last movements is taken back from the list", async ({ apiOf, pageOf }) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line } = await approved(admin, 4);
  await worker.move("in", line, process.id);
  const page = await pageOf("worker");
  await openStation(page, process);
  await button(page, `Deshacer: Entraron 4, ${line.customerSalesOrderId}`).click();
  await expect.poll(() => insideOf(worker, line)).toBe(0);
});

test("undone while nobody answers, a movement that arrived is undone once somebody does, and never shown as undone before", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 7);
  const page = await pageOf("worker");
  await openStation(page, process);
  // The first one arrives, its answer is lost, and so is the connection.
  let arrived = false;
  await page.route("**/production-process/in", async (route) => {
    if (!arrived) await route.fetch();
    arrived = true;
    await route.abort();
  });
  await scan(page, code);
  await button(page, `Meter 7 a ${process.name}`).click();
  await expect.poll(() => insideOf(worker, line)).toBe(7);
  await button(page, /^Deshacer \(/).click();
  const waiting = page.getByRole("region", { name: "1 movimiento por enviar" });
  await expect(waiting.getByText("Se deshará al volver la conexión")).toBeVisible();
  await expect(waiting.getByRole("button")).toHaveCount(0);
  await expect(page.getByText("Movimiento deshecho")).toHaveCount(0);
  expect(await insideOf(worker, line)).toBe(7);
  await page.unroute("**/production-process/in");
  await expect.poll(() => insideOf(worker, line)).toBe(0);
  await expect(page.getByText("Movimiento deshecho")).toBeVisible();
  await expect(waiting).toHaveCount(0);
  const { productionProcesses } = await lineNow(admin, line);
  expect(productionProcesses.map(({ quantity, undone }) => ({ quantity, undone }))).toEqual([
    { quantity: 7, undone: true },
  ]);
});

test("one press hands pieces over to the next process", async ({ apiOf, pageOf }) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [first, second] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 8);
  await worker.move("in", line, first.id);
  const page = await pageOf("worker");
  await openStation(page, first);
  await scan(page, code);
  await button(page, `Sacar 8 de ${first.name} y meter a ${second.name}`).click();
  await expect
    .poll(async () => (await lineNow(worker, line)).inside.map((one) => one.productionProcessId))
    .toEqual([second.id]);
});

test("what another station did is shown, and what was typed stays", async ({ apiOf, pageOf }) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 10);
  await admin.move("in", line, process.id);
  const [one, other] = [await pageOf("worker"), await pageOf("admin")];
  await openStation(one, process);
  await openStation(other, process);
  await scan(one, code);
  await key(one, "8").click();
  await scan(other, code);
  await button(other, "½ · 5").click();
  await button(other, `Sacar 5 de ${process.name}`).first().click();
  await expect(
    one.getByRole("status").filter({ hasText: "Solo hay 5 adentro" }).first(),
  ).toBeVisible();
  await expect(button(one, `Sacar 8 de ${process.name}`).first()).toBeDisabled();
});

test("after five minutes a movement is not taken back, and the station says why", async ({
  apiOf,
  pageOf,
}) => {
  const worker = await apiOf("worker");
  const [process] = await twoProcesses(worker);
  const line = await longApproved(await apiOf("admin"));
  const page = await pageOf("worker", { own: true });
  // A tablet that holds the server's time for six minutes earlier: only for the server has the time run out.
  const earlier = (instant: number) => new Date(instant - 6 * 60_000).toISOString();
  await page.route("**/station/*", async (route) => {
    const answer = await route.fetch();
    const station = (await answer.json()) as { now: string };
    await route.fulfill({ json: { ...station, now: earlier(Date.parse(station.now)) } });
  });
  await openStation(page, process);
  const madeAt = earlier(Date.now());
  await worker.call(
    "PUT",
    `/api/sales-order/${line.salesOrderId}/position/1/production-process/in`,
    { productionProcessId: process.id, madeAt, quantity: 1 },
  );
  const undo = button(page, `Deshacer: Entró 1, ${line.customerSalesOrderId}`);
  await undo.click();
  await expect(page.getByText(/5 minutos/)).toBeVisible();
  expect(await insideOf(worker, line)).toBe(1);
});
