/** Pictures of lines: sent 3 s apart once the order is saved. */
import { installClock } from "./clock";
import type { OrderSummary, SalesOrder } from "@/contract";
import { cell, chooseProduct, expect, fillOrder, test, unique } from "./fixtures";
import { png } from "./pictures";

const NEW = "/#/operations/sales-orders/new";

test("pictures of a new order's lines are sent as JPEG 3 s apart, on other pages too, and a failed one is sent again", async ({
  apiOf,
  pageOf,
}) => {
  const page = await pageOf("admin", { own: true });
  await installClock(page);
  await page.goto(NEW);
  const po = `E2E-${unique()}`;
  await fillOrder(page, po);
  await chooseProduct(page, "", 2);
  await page.getByRole("button", { name: "Conservar ambas" }).click();
  await cell(page, "Cantidad", 2).fill("1");
  const details = page.getByRole("dialog");
  const file = details.locator('input[type="file"]');
  await page.getByRole("button", { name: "Fechas, notas e imagen, línea 1" }).click();
  await file.setInputFiles({ ...png("uno.png"), mimeType: "image/gif", name: "uno.gif" });
  await expect(page.getByText("Solo se aceptan imágenes png y jpeg")).toBeVisible();
  await file.setInputFiles(png("指輪.png"));
  await expect(page.getByText("Solo se aceptan imágenes png y jpeg")).toBeHidden();
  await details.getByRole("button", { name: "Listo" }).click();
  await page.getByRole("button", { name: "Fechas, notas e imagen, línea 2" }).click();
  await file.setInputFiles(png("dos.png", [40, 80, 200]));
  await details.getByRole("button", { name: "Listo" }).click();
  const sent: { position: string | undefined; types: (string | undefined)[]; isJpeg: boolean }[] =
    [];
  await page.route("**/upload/document", async (route) => {
    const request = route.request();
    const headers = request.headers();
    sent.push({
      position: /position\/(\d+)/.exec(request.url())?.[1],
      types: [headers["content-type"], headers["file-type"]],
      isJpeg: request.postDataBuffer()?.subarray(0, 3).toString("hex") === "ffd8ff",
    });
    if (sent.length === 2) await route.fulfill({ status: 503, json: {} });
    else await route.continue();
  });
  const jpeg = (position: string) => ({
    position,
    types: ["image/jpeg", "image/jpeg"],
    isJpeg: true,
  });
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await page.getByRole("button", { name: "Guardar orden" }).click();
  await expect(page).toHaveURL(/#\/operations\/sales-orders$/);
  const sending = page.getByRole("complementary", { name: "Enviando las imágenes" });
  await expect(sending).toContainText("Imágenes enviadas: 0 de 2");
  await page.clock.runFor(1);
  await expect(sending).toContainText("Imágenes enviadas: 1 de 2");
  await page.goto("/#/home");
  await page.clock.runFor(2_998);
  expect(sent).toEqual([jpeg("1")]);
  await page.clock.runFor(1);
  await expect(sending.getByRole("alert")).toHaveText("No se pudo enviar 1 imagen");
  await sending.getByRole("button", { name: "Reintentar" }).click();
  await page.clock.resume();
  await expect(sending).toBeHidden();
  expect(sent).toEqual([jpeg("1"), jpeg("2"), jpeg("2")]);
  const api = await apiOf("admin");
  const [found] = await api.call<OrderSummary[]>("GET", `/api/sales-order?search=${po}`);
  const order = await api.call<SalesOrder>("GET", `/api/sales-order/${found?.id}`);
  expect(order.items.map(({ ownImage }) => ownImage)).toEqual([true, true]);
});
