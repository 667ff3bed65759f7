/** Gloved hands, slow scanners and a keyboard at a station: they move no pieces by accident. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { approved, button, insideOf, openStation, scan, twoProcesses } from "./station";

/** Scan so slowly that it looks like a person typing. */
const slowly = (page: Page, code: string) =>
  page.keyboard.type(code, { delay: 120 }).then(() => page.keyboard.press("Enter"));

const dialog = (page: Page, name?: string) =>
  page.getByRole("dialog", name === undefined ? {} : { name });

test("a slow or incomplete scan moves nothing, and repeated taps move once", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const [one, other] = [await approved(admin, 6), await approved(admin, 7)];
  const lines = [await approved(admin, 4), await approved(admin, 4), await approved(admin, 4)];
  const page = await pageOf("worker");
  await openStation(page, process);
  await slowly(page, one.code);
  await expect(button(page, `Meter 6 a ${process.name}`)).toBeFocused();
  await slowly(page, "0");
  await expect(dialog(page).getByRole("alert")).toBeVisible();
  await page.keyboard.type("12");
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await slowly(page, other.code);
  await expect(button(page, `Meter 7 a ${process.name}`)).toBeFocused();
  expect([await insideOf(worker, one.line), await insideOf(worker, other.line)]).toEqual([0, 0]);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  await scan(page, lines[0]?.code ?? "");
  const press = button(page, `Meter 4 a ${process.name}`);
  await expect(press).toBeFocused();
  const box = await press.boundingBox();
  if (box === null) throw new Error("The button is not drawn.");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, {
    clickCount: 4,
    delay: 30,
  });
  await expect(page.getByText(`Metió 4 a ${process.name}`)).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect
    .poll(() => Promise.all(lines.map(({ line }) => insideOf(worker, line))))
    .toEqual([4, 0, 0]);
});

test("a keyboard opens, moves and closes a line, and keeps the focus", async ({
  apiOf,
  pageOf,
}) => {
  const [admin, worker] = [await apiOf("admin"), await apiOf("worker")];
  const [process] = await twoProcesses(worker);
  const { line } = await approved(admin, 5);
  const page = await pageOf("worker");
  await openStation(page, process);
  const card = page
    .getByRole("region", { name: "Por entrar" })
    .getByRole("button", { name: new RegExp(line.customerSalesOrderId) });
  await card.press("Enter");
  const opened = dialog(page, line.customerSalesOrderId);
  await expect(button(page, `Meter 5 a ${process.name}`)).toBeFocused();
  for (let turn = 0; turn < 24; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press("Tab");
    // oxlint-disable-next-line no-await-in-loop
    const behind = await page.evaluate(() => document.activeElement?.closest("#root") !== null);
    expect(behind).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(opened).toHaveCount(0);
  await expect(card).toBeFocused();
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(opened).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect(opened).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expect.poll(() => insideOf(worker, line)).toBe(5);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

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

test("a PIN is typed on a keyboard, and a sheet that is scanned then opens no line", async ({
  apiOf,
  pageOf,
}) => {
  const worker = await apiOf("worker");
  const [process] = await twoProcesses(worker);
  const { code } = await approved(await apiOf("admin"), 2);
  const page = await pageOf("worker");
  await openStation(page, process);
  await button(page, /^Trabaja /).click();
  const asking = dialog(page, "¿Quién trabaja?");
  await expect(asking.getByRole("group", { name: "PIN" })).toBeFocused();
  await scan(page, code);
  await expect(asking.getByRole("alert")).toContainText("Primero diga quién trabaja");
  await expect(dialog(page)).toHaveCount(1);
  const refused = page.waitForResponse((response) => response.url().endsWith("/operator"));
  await page.keyboard.type("000000", { delay: 200 });
  expect((await refused).request().postDataJSON()).toMatchObject({ pin: "000000" });
  await page.keyboard.press("Escape");
  await expect(button(page, /^Trabaja /)).toBeFocused();
  await button(page, "Escanear").click();
  await expect(page.getByRole("textbox", { name: "Código" })).toBeFocused();
  await scan(page, code);
  await expect(button(page, `Meter 2 a ${process.name}`)).toBeFocused();
  await expect(dialog(page)).toHaveCount(1);
});
