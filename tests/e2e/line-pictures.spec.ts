/** Pictures of lines: sent one after the other once the order is saved. Specification 2, section 4. */
import type { Line, OrderSummary, SalesOrder } from "@/contract";
import { cell, chooseProduct, expect, expectSaved, fillOrder, test, unique } from "./fixtures";
import { png } from "./pictures";

const NEW = "/#/operations/sales-orders/new";

test("the pictures of a new order's lines are sent once it is saved; one that fails is sent again", async ({
  apiOf,
  pageOf,
}) => {
  const page = await pageOf("admin");
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
  await page.route(
    "**/position/2/upload/document",
    (route) => route.fulfill({ status: 503, json: {} }),
    { times: 1 },
  );
  await page.getByRole("button", { name: "Guardar orden" }).click();
  const dialog = page.getByRole("dialog", { name: "Enviando las imágenes" });
  await expect(dialog.getByRole("listitem").nth(0)).toContainText("Enviada");
  await dialog.getByRole("button", { name: "Reintentar" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/#\/operations\/sales-orders$/);
  const api = await apiOf("admin");
  const [found] = await api.call<OrderSummary[]>("GET", `/api/sales-order?search=${po}`);
  const order = await api.call<SalesOrder>("GET", `/api/sales-order/${found?.id}`);
  expect(order.items.map(({ ownImage }) => ownImage)).toEqual([true, true]);
});

test("a line's picture is changed and removed in its drawer", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const order = await api.order(3);
  const line = `/api/sales-order/${order.id}/position/1`;
  const page = await pageOf("admin");
  const edit = async () => {
    await page.goto(`/#/operations/sales-orders/${order.id}?edit=1`);
    return page.getByRole("dialog");
  };
  let drawer = await edit();
  await page.route("**/upload/document", (route) => route.abort("connectionreset"), { times: 1 });
  await drawer.locator('input[type="file"]').setInputFiles(png("uno.png"));
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(drawer.getByRole("alert")).toContainText("La que eligió sigue aquí");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  // The line was saved before its picture failed, and that was said: only the drawer tells of the second time.
  await expect(drawer).toBeHidden();
  expect((await api.call<Line>("GET", line)).ownImage).toBe(true);
  await page.goto("/#/home");
  drawer = await edit();
  await drawer.getByRole("button", { name: "Quitar", exact: true }).click();
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expectSaved(page);
  await expect.poll(async () => (await api.call<Line>("GET", line)).ownImage).toBe(false);
});

test("who leaves while a picture is sent is not taken away from what he opened since", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const [order, other] = [await api.order(3), await api.order(3)];
  const page = await pageOf("admin");
  let send: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (send = resolve));
  await page.route("**/upload/document", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/#/operations/sales-orders/${order.id}?edit=1`);
  const drawer = page.getByRole("dialog");
  await drawer.locator('input[type="file"]').setInputFiles(png("uno.png"));
  const sent = page.waitForRequest("**/upload/document");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await sent;
  await page.goto(`/#/operations/sales-orders/${other.id}?edit=1`);
  await expect(page.getByRole("heading", { name: other.customerSalesOrderId })).toBeVisible();
  const answered = page.waitForResponse("**/upload/document");
  send();
  await answered;
  await expectSaved(page);
  await expect(page).toHaveURL(new RegExp(`/${other.id}\\?edit=1$`));
  await expect(drawer).toBeVisible();
});
