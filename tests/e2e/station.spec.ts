/** The station: scan a line, and move its pieces with one press. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import {
  approved,
  button,
  insideOf,
  lineNow,
  openStation,
  productOf,
  scan,
  twoProcesses,
  undoLast,
} from "./station";

const key = (page: Page, digit: string) => page.getByRole("button", { name: digit, exact: true });

test("a scan opens a line, and one press moves it in, to the next process or out; an unknown code moves nothing", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process, next] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 18, await productOf(admin, [process, next]));
  const page = await pageOf("worker");
  await openStation(page, process);
  await scan(page, code);
  await expect(button(page, `Meter 18 a ${process.name}`)).toBeFocused();
  await scan(page, "7501055300075");
  await expect(page.getByRole("alert")).toBeVisible();
  expect(await insideOf(worker, line)).toBe(0);
  await scan(page, code);
  await button(page, `Meter 18 a ${process.name}`).click();
  await expect.poll(() => insideOf(worker, line)).toBe(18);
  const inside = page.getByRole("region", { name: "Adentro" });
  await expect(inside.getByText(line.customerSalesOrderId)).toBeVisible();

  await scan(page, code);
  await button(page, `Sacar 18 de ${process.name} y meter a ${next.name}`).click();
  await expect
    .poll(async () => (await lineNow(worker, line)).inside.map((one) => one.productionProcessId))
    .toEqual([next.id]);
  await expect(inside.getByText(line.customerSalesOrderId)).toHaveCount(0);

  await openStation(page, next);
  await scan(page, code);
  await page.getByRole("button", { name: `Sacar 18 de ${next.name}`, exact: true }).click();
  await expect.poll(() => insideOf(worker, line)).toBe(0);
  await expect(inside.getByText(line.customerSalesOrderId)).toHaveCount(0);
  // Keys of other pages open nothing at a station.
  await page.keyboard.press("Control+k");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("two presses move a part of a line, and that and an older movement are undone", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line } = await approved(admin, 18);
  const older = await approved(admin, 4);
  await worker.move("in", older.line, process.id);
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
  await undoLast(page);
  await expect.poll(() => insideOf(worker, entered)).toBe(18);
  await expect(page.getByText("Movimiento deshecho")).toBeVisible();

  // Undo from the list of the last movements.
  await button(page, `Deshacer: Entraron 4, ${older.line.customerSalesOrderId}`).click();
  await expect.poll(() => insideOf(worker, older.line)).toBe(0);
});

test("a station shows what another one moved, and keeps its input", async ({ apiOf, pageOf }) => {
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
