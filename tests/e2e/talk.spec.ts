/** Calls at the piece: a station's stop is seen and answered at one touch (infra/docs/rules.md#talk). */
import { expect, test } from "./fixtures";
import { approved, button, keeping, lineNow, openKept, scan, twoProcesses } from "./station";

test("a station's stop is seen by the board and the office, answered at one touch, and kept offline", async ({
  apiOf,
  pageOf,
  browser,
  baseURL,
}) => {
  const admin = await apiOf("admin");
  const worker = await apiOf("worker");
  const [process] = await twoProcesses(worker);
  const { line, code } = await approved(admin, 6);
  await worker.move("in", line, process.id);
  const po = line.customerSalesOrderId;

  const board = await pageOf("sales", { size: "handheld" });
  await board.goto(`/#/shop-floor?process=${process.id}`);
  const card = board.getByRole("listitem").filter({ hasText: po });
  await expect(card).toHaveCount(1);
  const office = await pageOf("admin");
  await office.goto(`/#/operations/orders?search=${po}`);
  const row = office.getByRole("row").filter({ hasText: po });
  await expect(row).toBeVisible();
  await expect(office.getByText("En vivo", { exact: true })).toBeVisible();
  const opened = await pageOf("boss");
  await opened.goto(`/#/operations/sales-order/${line.salesOrderId}/position/1`);
  const thread = opened.getByRole("region", { name: "Plática" });
  await expect(thread.getByText("Nadie ha escrito de esta línea.")).toBeVisible();
  await expect(opened.getByText("En vivo", { exact: true })).toBeVisible();

  const context = await keeping(browser, baseURL ?? "", await pageOf("worker"));
  const station = await context.newPage();
  await openKept(station, process);
  await scan(station, code);
  await button(station, "Alto").click();
  await Promise.all([
    expect(card.getByText(/^Alto · desde/)).toBeVisible(),
    expect(row.getByText(/^Alto · desde/)).toBeVisible(),
    expect(thread.getByText(/^Alto · Tomás/)).toBeVisible(),
  ]);
  const stopped = await lineNow(admin, line);
  expect([stopped.quantityInside, stopped.status], "a stop moves nothing").toEqual([
    6,
    "InProcess",
  ]);

  await row.getByRole("button", { name: /^Voy: Alto/ }).click();
  await Promise.all([
    expect(card.getByText(/^Alto/)).toHaveCount(0),
    expect(row.getByText(/^Alto/)).toHaveCount(0),
    expect(thread.getByText(/ va · /)).toBeVisible(),
  ]);

  await context.setOffline(true);
  await expect(station.getByText(/^Sin conexión: datos de las/)).toBeVisible();
  await button(station, "Falta material").click();
  await expect(station.getByRole("dialog").getByText("Falta material · por enviar")).toBeVisible();
  const callNow = async () => (await lineNow(admin, line)).call?.kind ?? null;
  expect(await callNow()).toBeNull();
  await context.setOffline(false);
  await expect.poll(callNow).toBe("missing");
  await expect(card.getByText(/^Falta material · desde/)).toBeVisible();
  await button(station, "Volver").click();
  const calls = station.getByRole("region", { name: /Llamados abiertos/ });
  await calls.getByRole("listitem").filter({ hasText: po }).getByRole("button").click();
  await expect(card.getByText(/^Falta material/)).toHaveCount(0);
  await expect.poll(callNow).toBeNull();
  await context.close();
});
