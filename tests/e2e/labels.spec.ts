/** Labels are printed from a line: as many as the dialog says, as a PDF. */
import { readFile } from "node:fs/promises";
import { expect, test } from "./fixtures";
import { expectAccessible, expectWithin } from "./looks";

for (const size of ["handheld", "office"] as const) {
  test(`labels of a line are printed for each bag (${size})`, async ({ apiOf, pageOf }) => {
    const order = await (await apiOf("admin")).order(7);
    const page = await pageOf("admin", { size });
    await page.goto(`/#/operations/sales-orders/${order.id}/position/1/a`);
    await page.getByRole("article").getByRole("button", { name: "Etiquetas" }).click();
    const dialog = page.getByRole("dialog", { name: "Imprimir etiquetas" });
    await expect(dialog.getByRole("button", { name: "Imprimir 1 etiqueta" })).toBeVisible();
    await dialog.getByRole("textbox", { name: "Piezas por etiqueta" }).fill("3");
    const print = dialog.getByRole("button", { name: "Imprimir 3 etiquetas" });
    await expectWithin(page, `the dialog of labels: ${size}`);
    await expectAccessible(page, `the dialog of labels: ${size}`);
    const download = page.waitForEvent("download");
    await print.click();
    const pdf = await readFile(await (await download).path());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    await expect(page.getByText("3 etiquetas listas para imprimir")).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });
}
