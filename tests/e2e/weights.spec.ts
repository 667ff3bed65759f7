/** Weights at a station: what they cost in keys, and what a scale on a serial port does. */
import type { Page } from "@playwright/test";
import { expect, SIZES, test, unique, type Api, type Somebody } from "./fixtures";
import { expectGood } from "./looks";
import { newPerson } from "./people";
import { approved, button, insideOf, lineNow, openStation, scan, type Process } from "./station";

interface Bench {
  plain: Process;
  weighed: Process;
  worker: Somebody;
  /** A product of sterling. */
  itemId: number;
}

/** Create a process that weighs and one that does not, who works there, and sterling in the vault. */
async function bench(admin: Api): Promise<Bench> {
  const alloys = await admin.call<{ id: number; name: string }[]>("GET", "/api/alloys?status=true");
  const alloyId = alloys.find(({ name }) => name.includes("925"))?.id;
  await admin.call("POST", "/api/metal/lots", { alloyId, grams: 1_000, supplier: "E2E" });
  const key = unique();
  const process = (name: string, fields: object) =>
    admin.call<Process>("POST", "/api/production-processes", { name, order: 900, ...fields });
  const plain = await process(`Revisado ${key}`, {});
  const weighed = await process(`Pulido ${key}`, { weighs: "required", allowedLoss: 20 });
  const moves = ["In", "Out"].map((side) => `SalesOrderPositionProcess${side}`);
  const worker = await newPerson(admin, ["Station", "SalesOrderPositionRecord", ...moves], {
    productionProcessIds: [plain.id, weighed.id],
  });
  const product = { key, name: `Anillo ${key}`, sellPrice: 5, currency: "USD", alloyId };
  const { id: itemId } = await admin.call<{ id: number }>("POST", "/api/items", product);
  return { plain, weighed, worker, itemId };
}

/** Count the Enters on the page from its next load on, and note when the last key came. */
async function watchKeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = Object.assign(window, { enters: 0, lastKey: 0 });
    const onKey = ({ key }: KeyboardEvent) => {
      watched.lastKey = performance.now();
      if (key === "Enter") watched.enters += 1;
    };
    addEventListener("keydown", onKey, true);
  });
}

/** Open a line by its code. Wait until an Enter counts as a person's: for a second it is the scanner's. */
async function scanned(page: Page, code: string): Promise<void> {
  await scan(page, code);
  await expect(page.locator(".ob-opened")).toBeVisible();
  await page.waitForFunction(() => {
    const watched = window as unknown as { enters: number; lastKey: number };
    watched.enters = 0;
    return performance.now() - watched.lastKey > 1_000;
  });
}

const enters = (page: Page) =>
  page.evaluate(() => (window as unknown as { enters: number }).enters);
const weight = (page: Page) => page.getByRole("textbox", { name: "Peso", exact: true });

test("a movement with a weight costs one Enter more than without, and says what was lost", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const admin = await apiOf("admin");
  const { plain, weighed, worker, itemId } = await bench(admin);
  const hand = await apiOf(worker);
  const page = await pageOf(worker, { own: true });
  await watchKeys(page);
  for (const size of ["tablet", "office"] as const) {
    // oxlint-disable no-await-in-loop -- one window after the other
    const isOver = size === "office";
    await page.setViewportSize(SIZES[size]);
    const { line, code } = await approved(admin, 6, itemId);

    await openStation(page, plain);
    await scanned(page, code);
    await expect(button(page, `Meter 6 a ${plain.name}`)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect.poll(() => insideOf(admin, line)).toBe(6);
    const without = await enters(page);
    await hand.move("out", line, plain.id);

    await openStation(page, weighed);
    await scanned(page, code);
    await expect(weight(page)).toBeFocused();
    await expectGood(page, "a weight", { size, language: "es", theme: "light" });
    await page.keyboard.type("12.34");
    await page.keyboard.press("Enter");
    await expect(button(page, `Meter 6 a ${weighed.name}`)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect.poll(() => insideOf(admin, line)).toBe(6);
    expect(await enters(page)).toBe(without + 1);

    await scanned(page, code);
    await page.keyboard.type(isOver ? "12" : "12,1");
    await page.keyboard.press("Enter");
    await expect(button(page, `Sacar 6 de ${weighed.name}`)).toBeFocused();
    // Over the allowance it asks why, and does not wait for an answer.
    await expect(page.getByLabel(/¿Por qué se perdió más\?/)).toHaveCount(isOver ? 1 : 0);
    await page.keyboard.press("Enter");
    const said = isOver ? "Merma 0.34 g · 27.6 ‰" : "Merma 0.24 g · 19.4 ‰";
    const last = page.locator(".ob-station__last");
    await expect(last).toContainText(`${said} · permitida 20 ‰`);
    await expect(last.locator(".ob-note--warning")).toHaveCount(isOver ? 1 : 0);
    const { productionProcesses } = await lineNow(admin, line);
    const row = productionProcesses.find((each) => each.productionProcessId === weighed.id);
    expect(row).toMatchObject({ gramsIn: 12.34, gramsOut: isOver ? 12 : 12.1 });
    // oxlint-enable no-await-in-loop
  }
});

test("a loss above the allowance waits for the boss's signature, and the floor goes on", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { plain, weighed, worker, itemId } = await bench(admin);
  const hand = await apiOf(worker);
  const { line } = await approved(admin, 6, itemId);
  const place = `/api/sales-order/${line.salesOrderId}/position/${line.position}`;
  const move = (side: "in" | "out", fields: object) =>
    hand.call("PUT", `${place}/production-process/${side}`, {
      productionProcessId: weighed.id,
      ...fields,
    });
  await move("in", { grams: 12 });
  await move("out", { grams: 11, weightReason: "Se cayó limadura" });
  await hand.move("in", line, plain.id);

  const [boss, clerk] = [await pageOf("admin"), await pageOf("admin", { own: true })];
  await clerk.goto(`/#/operations/sales-order/${line.salesOrderId}/position/${line.position}`);
  await button(clerk, "Historial").click();
  const seen = clerk.getByRole("dialog");
  await expect(seen.getByText("Se cayó limadura")).toBeVisible();

  await boss.goto("/#/operations/metal");
  await boss.getByRole("link", { name: "Mermas por firmar" }).click();
  await boss.getByRole("row").filter({ hasText: line.customerSalesOrderId }).click();
  await button(boss, "Historial").click();
  await button(boss, `Firmar la merma: ${weighed.name}`).click();
  const asked = boss.getByRole("dialog", { name: "Firmar la merma" });
  await expect(asked.getByText("Motivo: Se cayó limadura")).toBeVisible();
  await expectGood(boss, "a loss to sign", { size: "office", language: "es", theme: "light" });
  await button(boss, /^Firmar la merma$/).click();
  await expect(asked).toBeHidden();
  await expect(seen.getByText(/^firmó /)).toBeVisible();
});

/** Put a simulated scale on a serial port that the device remembers; `weigh` makes it send a line. */
async function plugScale(page: Page): Promise<(line: string) => Promise<void>> {
  await page.addInitScript(() => {
    localStorage.setItem("scale", JSON.stringify({ make: "and", baudRate: 2_400 }));
    let send: (text: string) => void = () => undefined;
    const port = {
      readable: null as ReadableStream<Uint8Array> | null,
      writable: null,
      open: () => {
        port.readable = new ReadableStream<Uint8Array>({
          start: (stream) => {
            send = (text) => stream.enqueue(new TextEncoder().encode(text));
            send("\r\n");
          },
        });
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
      getInfo: () => ({}),
    };
    const serial = { getPorts: () => Promise.resolve([port]), addEventListener: () => undefined };
    Object.defineProperty(navigator, "serial", { value: serial });
    Object.assign(window, { weigh: (line: string) => send(`${line}\r\n`) });
  });
  return (line) =>
    page.evaluate(
      (text) => (window as unknown as { weigh: (line: string) => void }).weigh(text),
      line,
    );
}

test("a scale on a serial port gives stable weights alone, and a scan in between opens its line", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const { weighed, worker, itemId } = await bench(admin);
  const [one, other] = [await approved(admin, 6, itemId), await approved(admin, 4, itemId)];
  const page = await pageOf(worker, { own: true });
  await watchKeys(page);
  const weigh = await plugScale(page);
  await openStation(page, weighed);
  await scanned(page, one.code);
  await expect(button(page, "Báscula conectada")).toBeVisible();
  await weigh("US,+00009.10  g");
  await expect(page.getByText("La báscula se mueve")).toBeVisible();
  await expect(weight(page)).toHaveValue("");
  await weigh("ST,+00061.70 ct");
  await expect(page.getByText(/cambie la báscula a gramos/)).toBeVisible();
  await expect(weight(page)).toHaveValue("");
  await weigh("ST,+00012.34  g");
  await expect(weight(page)).toHaveValue("12.34");
  // The code of another sheet is no weight, though the field has the focus.
  await scanned(page, other.code);
  await expect(page.getByRole("dialog", { name: other.line.customerSalesOrderId })).toBeVisible();
  await expect(weight(page)).toHaveValue("");
  await weigh("ST,+00008.20  g");
  await expect(weight(page)).toHaveValue("8.2");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect.poll(() => insideOf(admin, other.line)).toBe(4);
  expect(await insideOf(admin, one.line)).toBe(0);
});
