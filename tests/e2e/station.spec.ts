/** The station: a scan anywhere, one press, and nothing lost when the server is away. Contract, section 8. */
import type { Page } from "@playwright/test";
import type { Line } from "@/contract";
import { expect, test, unique, type Api } from "./fixtures";
import { newPerson } from "./people";

interface Process {
  id: number;
  name: string;
}

const processesOf = (api: Api) =>
  api.call<Process[]>("GET", "/api/production-processes?status=true&filterByUser=true");

async function twoProcesses(api: Api): Promise<[Process, Process]> {
  const [first, second] = await processesOf(api);
  if (first === undefined || second === undefined) throw new Error("Two processes are needed.");
  return [first, second];
}

/** An approved line of its own, and the code that its sheet prints beside the QR. */
async function approved(admin: Api, quantity: number): Promise<{ line: Line; code: string }> {
  const order = await admin.order(quantity);
  const line = await admin.approve(order.id);
  return { line, code: `${order.id}-1` };
}

const lineNow = (api: Api, { salesOrderId }: Line) =>
  api.call<Line>("GET", `/api/sales-order/${salesOrderId}/position/1`);

const insideOf = async (api: Api, line: Line) => (await lineNow(api, line)).quantityInside;

async function openStation(page: Page, process: Process): Promise<void> {
  await page.goto(`/#/shop-floor/station/${process.id}`);
  await expect(page.getByRole("heading", { level: 1, name: process.name })).toBeVisible();
  await expect(page.getByText("En vivo")).toBeVisible();
}

/** As a scanner does: quickly, wherever the focus is, with Enter at the end. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
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
  await button(page, `Sacar 18 de ${process.name}`).last().click();
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

test("what another station did is told, and what was typed stays", async ({ apiOf, pageOf }) => {
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

test("who works is named by his PIN, and the movement is his", async ({ apiOf, pageOf }) => {
  const admin = await apiOf("admin");
  const [process] = await twoProcesses(await apiOf("worker"));
  const rights = ["SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut", "ListOrders"];
  const person = await newPerson(admin, rights, { productionProcessIds: [process.id] });
  const pin = `8${unique().slice(-5)}`;
  await admin.call("PUT", `/identity/users/${person.id}/pin`, { pin });
  const { line, code } = await approved(admin, 6);
  const page = await pageOf("worker");
  await openStation(page, process);
  await button(page, /^Trabaja /).click();
  for (const digit of pin) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.getByRole("dialog").getByRole("button", { name: digit, exact: true }).click();
  }
  await expect(button(page, `Trabaja ${person.name}. Cambiar`)).toBeVisible();
  await scan(page, code);
  await button(page, `Meter 6 a ${process.name}`).click();
  await expect
    .poll(async () => (await lineNow(admin, line)).inside.map(({ by }) => by))
    .toEqual([person.name]);
});

test("without the server the station goes on, and tells what was refused meanwhile", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const [good, bad] = [await approved(admin, 7), await approved(admin, 5)];
  const page = await pageOf("worker");
  await openStation(page, process);
  const row = ({ line }: { line: Line }) =>
    page
      .getByRole("region", { name: "Por entrar" })
      .getByRole("button", { name: new RegExp(line.customerSalesOrderId) });
  await expect(row(good)).toBeVisible();
  await expect(row(bad)).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^Sin conexión: datos de las/)).toBeVisible();
  await scan(page, good.code);
  await button(page, `Meter 7 a ${process.name}`).click();
  await scan(page, good.code);
  await button(page, "½ · 4").click();
  await button(page, `Sacar 4 de ${process.name}`).first().click();
  await row(bad).click();
  await button(page, `Meter 5 a ${process.name}`).click();
  await expect(page.getByText("3 movimientos por enviar")).toBeVisible();
  // Somebody else takes these pieces elsewhere meanwhile.
  const [, elsewhere] = await twoProcesses(worker);
  await admin.move("in", bad.line, elsewhere.id);
  await page.context().setOffline(false);
  await expect.poll(() => insideOf(worker, good.line)).toBe(3);
  await expect(page.getByText("1 movimiento rechazado")).toBeVisible();
  await expect(page.getByText(/El servidor no lo aceptó:/)).toBeVisible();
  await button(page, "Quitar").click();
  await button(page, "Sí, quitar").click();
  await expect(page.getByText("1 movimiento rechazado")).toHaveCount(0);
});

test("loaded anew without a server the station opens, and what waits is sent later", async ({
  apiOf,
  pageOf,
  browser,
  baseURL,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 9);
  const lent = await pageOf("worker");
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    reducedMotion: "reduce",
    storageState: await lent.context().storageState(),
  });
  const page = await context.newPage();
  await openStation(page, process);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  await expect(page.getByText(line.customerSalesOrderId).first()).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: process.name })).toBeVisible();
  await scan(page, code);
  await button(page, `Meter 9 a ${process.name}`).click();
  await expect(page.getByText("1 movimiento por enviar")).toBeVisible();
  await page.reload();
  await expect(page.getByText("1 movimiento por enviar")).toBeVisible();
  await context.setOffline(false);
  await expect.poll(() => insideOf(worker, line)).toBe(9);
  await expect(page.getByText("1 movimiento por enviar")).toHaveCount(0);
  await context.close();
});
