/** What a station shows of the work, and what it does with a scan that opens nothing. */
import { expect, SIZES, test } from "./fixtures";
import { expectGood } from "./looks";
import { approved, button, insideOf, openStation, productOf, scan, twoProcesses } from "./station";

test("an opened line shows how it is made, with the next process first, and the last movement stays in reach", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const [process, next] = await twoProcesses(await apiOf("worker"));
  const { line, code } = await approved(admin, 10, await productOf(admin, [process, next]));
  await admin.call("PUT", `/api/sales-order/${line.salesOrderId}/position/1/full`, {
    notes: "Grabar iniciales",
  });
  await admin.move("in", line, process.id);
  // The administrator works in all processes.
  const page = await pageOf("admin", { size: "tablet", own: true });
  await page.clock.install();
  await openStation(page, process);
  await scan(page, code);
  const opened = page.getByRole("dialog", { name: line.customerSalesOrderId });
  const over = opened.getByRole("button", { name: /y meter a/ });
  await expect(over).toHaveText(`Sacar 10 de ${process.name} y meter a ${next.name}`);
  await expect(opened.getByText(`10 en ${process.name}`)).toBeVisible();
  const press = opened.getByRole("button", { name: `Sacar 10 de ${process.name}`, exact: true });
  const topOf = async (each: typeof press) => (await each.boundingBox())!.y;
  expect(await topOf(opened.getByText("Grabar iniciales"))).toBeLessThan(await topOf(press));
  await expect(opened.getByText("Talla 7")).toBeVisible();
  await expectGood(page, "an opened line", { size: "tablet", language: "es", theme: "light" });
  await page.setViewportSize({ width: SIZES.tablet.height, height: SIZES.tablet.width });
  await expect(press).toBeInViewport({ ratio: 1 });
  await opened.getByText(/^Otros procesos \(\d+\)$/).click();
  expect(await over.count()).toBeGreaterThan(5);

  await press.click();
  await expect.poll(() => insideOf(admin, line)).toBe(0);
  // Let the five seconds pass in which the last press can be undone.
  await page.clock.fastForward(5_000);
  const last = page.getByRole("complementary", { name: "Su último movimiento" });
  await expect(last).toContainText(line.customerSalesOrderId);
  const undo = last.getByRole("button", { name: "Deshacer" });
  await expect(undo).toBeInViewport({ ratio: 1 });
  await undo.click();
  await expect.poll(() => insideOf(admin, line)).toBe(10);
  await expect(last.getByText("Salieron 10")).toHaveCount(0);
});

test("a scan that opens nothing closes the line before it, and says what was read or where the line is", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const [process, next] = await twoProcesses(await apiOf("worker"));
  const [here, elsewhere] = [await approved(admin, 6), await approved(admin, 7)];
  await admin.move("in", elsewhere.line, next.id);
  const page = await pageOf("worker", { size: "tablet" });
  await openStation(page, process);
  await scan(page, here.code);
  await expect(button(page, `Meter 6 a ${process.name}`)).toBeFocused();
  // The picture takes the room that the rest leaves.
  const picture = page.locator("img.ob-opened__picture");
  expect((await picture.boundingBox())!.height).toBeGreaterThan(280);
  await page.setViewportSize({ width: SIZES.tablet.height, height: SIZES.tablet.width });
  expect((await picture.boundingBox())!.height).toBeGreaterThan(400);
  await page.setViewportSize(SIZES.tablet);
  await scan(page, "7501055300075");
  await expect(page.getByRole("alert")).toContainText("Se leyó «7501055300075»");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await scan(page, here.code);
  await expect(button(page, `Meter 6 a ${process.name}`)).toBeFocused();
  await scan(page, elsewhere.code);
  const opened = page.getByRole("dialog", { name: elsewhere.line.customerSalesOrderId });
  await expect(opened.getByRole("alert")).toContainText(`7 en ${next.name}`);
  await expect(button(page, /^Meter|^Sacar/)).toHaveCount(0);
  await button(page, "Volver").click();

  // A scan while something else is open opens no line behind it.
  await button(page, /^Menú de /).click();
  await page.getByRole("menuitem", { name: "Ayuda de esta página" }).click();
  const help = page.getByRole("dialog");
  await expect(help).toBeVisible();
  await scan(page, here.code);
  await expect(page.getByText(/^Hay una ventana abierta/)).toBeVisible();
  await expect(page.locator(".ob-opened")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await scan(page, here.code);
  await expect(button(page, `Meter 6 a ${process.name}`)).toBeFocused();
  expect(await insideOf(admin, here.line)).toBe(0);
});
