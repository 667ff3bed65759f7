/** Pieces are lost: scrapped at a station with a photo, seen in the history, and made again. */
import { expect, expectSaved, SIZES, test } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";
import { png } from "./pictures";
import {
  approved,
  button,
  insideOf,
  lineNow,
  openStation,
  scan,
  twoProcesses,
  undoLast,
} from "./station";

for (const size of ["tablet", "office"] as const) {
  const { width, height } = SIZES[size];

  test(`pieces are scrapped with a photo and made again, ${width} × ${height}`, async ({
    apiOf,
    pageOf,
  }) => {
    const admin = await apiOf("admin");
    const [process] = await twoProcesses(await apiOf("worker"));
    const { line, code } = await approved(admin, 10);
    await admin.move("in", line, process.id);
    const station = await pageOf("worker", { size });
    await openStation(station, process);
    await scan(station, code);
    const opened = station.getByRole("dialog", { name: line.customerSalesOrderId });
    await opened.getByText("Dar de baja", { exact: true }).click();
    await opened.getByRole("button", { name: "2", exact: true }).click();
    await opened.locator("input[type=file]").setInputFiles(png("roto.png"));
    await expect(opened.getByRole("img", { name: "Foto", exact: true })).toBeVisible();
    await expect(opened.getByText(`Dar de baja 2 de ${process.name}.`)).toBeVisible();
    await expectAccessible(station, `scrap at a station, ${size}`);
    await expectWithin(station, `scrap at a station, ${size}`);
    await button(station, "Pieza rota").click();
    await expect.poll(() => insideOf(admin, line)).toBe(8);
    await expect(station.getByText("Se dieron de baja 2").first()).toBeVisible();

    const office = await pageOf("admin", { size });
    await office.goto(`/#/operations/sales-orders/${line.salesOrderId}/position/1/a`);
    const detail = office.getByRole("article");
    await detail.getByRole("button", { name: "Reponer 2 piezas" }).click();
    const asking = office.getByRole("dialog");
    await expect(asking.getByRole("textbox", { name: /^Piezas/ })).toHaveValue("2");
    await expectAccessible(office, `replace, ${size}`);
    await asking.getByRole("button", { name: "Reponer 2 piezas" }).click();
    await expectSaved(office, "2 piezas por hacer de nuevo");
    const { quantityScrapped, quantityGood } = await lineNow(admin, line);
    expect([quantityScrapped, quantityGood]).toEqual([2, 10]);

    await detail.getByRole("button", { name: "Ver historial" }).click();
    const history = office.getByRole("dialog", { name: /^Historial/ });
    await expect(history.getByText("Baja: Pieza rota")).toBeVisible();
    const photo = history.getByRole("img", { name: "Foto de las piezas" });
    const widthOf = (image: HTMLElement | SVGElement) => (image as HTMLImageElement).naturalWidth;
    await expect.poll(() => photo.evaluate(widthOf)).toBeGreaterThan(0);
    await expectWithin(office, `the history, ${size}`);
  });
}

for (const size of ["tablet", "phone"] as const) {
  const { width, height } = SIZES[size];

  test(`good and scrapped pieces leave by one press and come back by one undo, ${width} × ${height}`, async ({
    apiOf,
    pageOf,
  }) => {
    const admin = await apiOf("admin");
    const [process] = await twoProcesses(await apiOf("worker"));
    const { line, code } = await approved(admin, 10);
    await admin.move("in", line, process.id);
    const station = await pageOf("worker", { size });
    await openStation(station, process);
    await scan(station, code);
    const opened = station.getByRole("dialog", { name: line.customerSalesOrderId });
    await opened.getByRole("button", { name: "Dar de baja una parte" }).click();
    await opened.getByRole("button", { name: "Pieza rota" }).click();
    await expectAccessible(station, `scrap a part, ${size}`);
    await expectWithin(station, `scrap a part, ${size}`);
    await opened
      .getByRole("button", { name: `Sacar 9 de ${process.name} y dar de baja 1` })
      .click();
    await expect.poll(() => insideOf(admin, line)).toBe(0);
    expect((await lineNow(admin, line)).quantityScrapped).toBe(1);

    await undoLast(station);
    await expect.poll(() => insideOf(admin, line)).toBe(10);
    expect((await lineNow(admin, line)).quantityScrapped).toBe(0);
  });
}
