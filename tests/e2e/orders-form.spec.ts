/** Forms of orders never lose input, send nothing twice, and show refusals beside their fields. */
import {
  cell,
  chooseProduct,
  expect,
  expectSaved,
  fillOrder,
  signIn,
  test,
  unique,
} from "./fixtures";

const NEW = "/#/operations/sales-orders/new";
test("a session that ends leads to the sign-in, and then back to the input", async ({ page }) => {
  test.slow(); // Two sign-ins by hand.
  await page.goto("/#/login");
  await signIn(page, "sales");
  await expect(page).not.toHaveURL(/login/);
  await page.goto(NEW);
  const po = `E2E-${unique()}`;
  const { customer, item } = await fillOrder(page, po);
  const token = await page.evaluate(() => localStorage.getItem("token"));
  const revoked = await page.request.post("/identity/authentication/sign-out", {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(revoked.status()).toBe(200);
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page.locator("#email")).toBeVisible();
  await signIn(page, "sales");
  await expect(page).toHaveURL(/#\/operations\/sales-orders\/new$/);
  await expect(page.getByText("Recuperamos lo que estaba escribiendo.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "PO#" })).toHaveValue(po);
  await expect(cell(page, "Cantidad")).toHaveValue("7");
  await expect(
    page
      .locator(".ant-form-item")
      .filter({ has: page.getByRole("combobox", { name: "Cliente", exact: true }) }),
  ).toContainText(customer);
  await expect(cell(page, "Producto")).toHaveValue(item);
  await page.getByRole("button", { name: "Guardar orden" }).click();
  await expect(page.getByRole("main").getByRole("link", { name: po })).toBeVisible();
  await page.goto(NEW);
  await expect(page.getByRole("textbox", { name: "PO#" })).toHaveValue("");
});

test("a double click sends once, a lost connection keeps the input, and a retry creates no second order", async ({
  pageOf,
  apiOf,
}) => {
  const page = await pageOf("sales");
  await page.goto(NEW);
  const po = `E2E-${unique()}`;
  await fillOrder(page, po);
  // The server saves the order, but its answer is lost.
  let sent = 0;
  await page.route("**/api/sales-order", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    sent += 1;
    if (sent > 1) return route.fallback();
    await route.fetch();
    return route.abort("connectionreset");
  });
  const save = page.getByRole("button", { name: "Guardar orden" });
  await save.dblclick();
  await expect(page.getByText(/^Sin conexión con el servidor/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "PO#" })).toHaveValue(po);
  await save.dblclick();
  await expectSaved(page);
  expect(sent).toBe(2);
  const api = await apiOf("admin");
  const saved = await api.call<unknown[]>("GET", `/api/sales-order?search=${po}`);
  expect(saved).toHaveLength(1);
});

test("an order without movements can be deleted, and a clerk who edits it is told and keeps their input", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(3);
  const place = `/#/operations/sales-orders/${order.id}`;
  const editing = await pageOf("admin");
  await editing.goto(place);
  await expect(editing.getByText("En vivo", { exact: true })).toBeVisible();
  await editing.getByRole("button", { name: "Editar orden" }).click();
  const drawer = editing.getByRole("dialog", { name: /^Editar la orden/ });
  const notes = drawer.getByLabel("Notas");
  await notes.fill("Lo mío");

  const page = await pageOf("sales");
  await page.goto(place);
  await page.getByRole("button", { name: "Más acciones de la orden" }).click();
  await page.getByRole("menuitem", { name: "Eliminar orden" }).click();
  const question = page.getByRole("dialog", { name: "Confirmar eliminación" });
  await expect(question).toContainText("Se elimina con todas sus líneas.");
  await question.getByRole("button", { name: "Eliminar" }).click();
  await expect(page.getByText("Eliminado correctamente")).toBeVisible();
  await expect(page).toHaveURL(/#\/operations\/sales-orders$/);

  await expect(editing.getByText("Esta orden no existe")).toBeVisible();
  await expect(notes).toHaveValue("Lo mío");
  await drawer.getByRole("button", { name: "Guardar" }).click();
  await expect(editing.locator(".ob-toast", { hasText: "No se encontró" })).toBeVisible();
  await expect(notes).toHaveValue("Lo mío");
  await drawer.getByRole("button", { name: "Cancelar" }).click();
  await editing.getByRole("button", { name: "Salir sin guardar" }).click();
  await expect(drawer).toBeHidden();
});

test("a line can be added, and edited while its pieces move", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const processId = await api.firstId("production-processes");
  const order = await api.order(3);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  await page.getByRole("button", { name: "Más acciones de la orden" }).click();
  await page.getByRole("menuitem", { name: "Agregar o editar líneas" }).click();
  await chooseProduct(page, order.items[0]!.itemName, 2);
  // Keep the repeated product as a second line.
  await page.getByRole("button", { name: "Conservar ambas" }).click();
  await cell(page, "Cantidad", 2).fill("9");
  await page.getByRole("button", { name: "Guardar líneas" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);

  await page.getByRole("button", { name: "Más acciones de la línea 2" }).click();
  await page.getByRole("menuitem", { name: "Editar línea" }).click();
  const editing = page.getByRole("dialog", { name: "Editar la línea 2" });
  await editing.getByLabel("Notas de la línea").fill("Grabar iniciales");
  const line = await api.approve(order.id, 2);
  await api.move("in", line, processId);
  // The movement changed no edited field, so saving does not ask.
  await editing.getByRole("button", { name: "Guardar" }).click();
  await expect(editing).toBeHidden();
  const now = await api.call<{ notes: string; quantityInside: number }>(
    "GET",
    `/api/sales-order/${order.id}/position/2`,
  );
  expect(now).toMatchObject({ notes: "Grabar iniciales", quantityInside: 9 });
});
