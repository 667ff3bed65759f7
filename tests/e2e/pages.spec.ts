/** What holds on every page: actions apply to the whole selection, missing parts and ended sessions are reported. */
import type { Page } from "@playwright/test";
import type { Payable, SalesOrder } from "@/contract";
import { expectAccessible, expectWithin } from "./looks";
import { expect, expectSaved, signIn, test, type Api } from "./fixtures";
import { newPerson } from "./people";

/** More lines than one page of a list holds. */
const LINES = 27;

/** Create a worker, and an order with one exit for each of its pieces. */
async function manyExits(
  admin: Api,
  apiOf: (who: { email: string; password: string }) => Promise<Api>,
) {
  const processId = await admin.firstId("production-processes");
  const worker = await newPerson(
    admin,
    ["ShopFloor", "SalesOrderPositionProcessIn", "SalesOrderPositionProcessOut"],
    { productionProcessIds: [processId] },
  );
  const order = await admin.order(LINES);
  const line = await admin.approve(order.id);
  const hand = await apiOf(worker);
  await hand.move("in", line, processId);
  for (let piece = 0; piece < LINES; piece += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each exit takes from what the one before left
    await hand.move("out", line, processId, 1);
  }
  return { worker, order };
}

/** Expect the bar in the window and below the navbar, and the rows at their former place. */
async function expectInSight(page: Page, before: number): Promise<void> {
  const bar = await page.locator(".ob-selection").boundingBox();
  const navbar = await page.locator(".ob-navbar").boundingBox();
  const { height } = page.viewportSize() ?? { height: 0 };
  expect(bar!.y).toBeGreaterThanOrEqual(navbar!.y + navbar!.height);
  expect(bar!.y + bar!.height).toBeLessThanOrEqual(height);
  expect(await topOfRows(page)).toBe(before);
}

const topOfRows = async (page: Page) => (await page.locator(".ob-table").boundingBox())!.y;

test("a selection shows its count, offers all matching rows, and stays visible", async ({
  apiOf,
  pageOf,
}) => {
  test.slow(); // Many lines are approved one after the other.
  const api = await apiOf("admin");
  const order = await api.order(...Array.from({ length: LINES }, () => 2));
  const page = await pageOf("admin");
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  const bar = page.getByRole("region", { name: "Líneas elegidas" });
  const said = bar.getByRole("status");
  await expect(page.getByText("25 de 27", { exact: true })).toBeVisible();
  const before = await topOfRows(page);
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  await expect(said).toHaveText("25 de 27 seleccionadas");
  await expectInSight(page, before);
  await expectAccessible(page, "selection");
  await expectWithin(page, "selection");
  await bar.getByRole("button", { name: "Seleccionar las 27 que coinciden" }).click();
  await expect(said).toHaveText("27 de 27 seleccionadas");
  await expect(bar.getByRole("button", { name: "Aprobar (27)" })).toBeVisible();

  // Another person approves one: it stays chosen, but no longer counts as one to approve.
  await api.approve(order.id, 27);
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}&status=Approved`);
  await expect(said).toContainText("1 de 1 seleccionadas");
  await expect(said).toContainText("y 26 seleccionadas que no están en esta lista");
  await expect(bar.getByRole("button", { name: "Aprobar (26)" })).toBeVisible();
  await page.mouse.wheel(0, 10_000);
  await bar.getByRole("button", { name: "Quitar las que no están" }).click();
  await expect(said).toHaveText("1 de 1 seleccionadas");
  await bar.getByRole("button", { name: "Cancelar líneas (1)" }).click();
  await page.getByRole("button", { name: "No, conservar" }).click();

  // All matching lines are approved, even those on pages that are not loaded.
  await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
  await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
  await bar.getByRole("button", { name: "Seleccionar las 27 que coinciden" }).click();
  await bar.getByRole("button", { name: "Aprobar (26)" }).click();
  await expect(page.getByText("26 líneas aprobadas")).toBeVisible({ timeout: 60_000 });
  const { items } = await api.call<SalesOrder>("GET", `/api/sales-order/${order.id}`);
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(["Approved"]));
});

test("all matching records are paid, and the question names the person and the sum", async ({
  apiOf,
  pageOf,
}) => {
  test.slow();
  const admin = await apiOf("admin");
  const { worker, order } = await manyExits(admin, apiOf);
  const path = `/api/sales-order/positions/production-processes?search=${order.customerSalesOrderId}`;
  const records = await admin.call<Payable[]>("GET", `${path}&limit=200`);
  const sum = (records.length * records[0]!.price).toLocaleString("es-MX", {
    minimumFractionDigits: 2,
  });
  const page = await pageOf("admin");
  await page.goto(`/#/reports/pay-orders?search=${order.customerSalesOrderId}`);
  await expect(page.getByText("25 de 27", { exact: true })).toBeVisible();
  const before = await topOfRows(page);
  await page.locator(".ob-table").getByRole("checkbox").nth(0).check();
  await expectInSight(page, before);
  const bar = page.getByRole("region", { name: "Registros elegidos" });
  await bar.getByRole("button", { name: "Seleccionar los 27 que coinciden" }).click();
  await expect(bar.getByRole("status")).toContainText("27 de 27 seleccionados");
  const words = `$${sum} MXN a ${worker.name}`;
  await bar.getByRole("button", { name: `Pagar ${words}…` }).click();
  const drawer = page.getByRole("dialog", { name: "Pagar destajo" });
  await drawer.getByRole("button", { name: `Pagar ${words}` }).click();
  const question = page.getByRole("dialog", { name: `¿Pagar ${words}?` });
  await expect(question.getByRole("listitem")).toContainText(`${worker.name}27 piezas`);
  await expectAccessible(page, "pay question");
  await expectWithin(page, "pay question");
  expect(await admin.call<Payable[]>("GET", `${path}&pending=true&limit=200`)).toHaveLength(27);
  await question.getByRole("button", { name: `Sí, pagar ${words}` }).click();
  await expectSaved(page);
  await expect(bar).toBeHidden();
  expect(await admin.call<Payable[]>("GET", `${path}&pending=true&limit=200`)).toEqual([]);
});

test("without a network, parts that are not loaded say so, and load when it is back", async ({
  pageOf,
}) => {
  // Use a new browser: another one may have stored the page.
  const page = await pageOf("admin", { own: true });
  await page.goto("/#/catalogs/materials");
  await page.getByRole("searchbox").fill("plata");
  await page.route("**/*", (route) => route.abort("internetdisconnected"));
  const missing = page.getByRole("alert").filter({ hasText: "Esta parte no ha llegado" });
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  await expect(missing).toBeVisible();
  await expectAccessible(page, "a menu that did not come");
  await missing.getByRole("button", { name: "Cerrar" }).click();
  await expect(missing).toBeHidden();
  await expect(page.getByRole("searchbox")).toHaveValue("plata");

  // Go offline for real here: the browser remembers modules that failed to load.
  await page.unrouteAll({ behavior: "wait" });
  await page.context().setOffline(true);
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, "#/catalogs/components");
  await expect(page.getByRole("main").getByText("Esta parte no ha llegado")).toBeVisible();
  await expect(page.getByText("Unexpected Application Error")).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Componentes" })).toBeVisible();
  await expect(missing).toHaveCount(0);
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  await expect(page.getByRole("link", { name: "Materiales" })).toBeVisible();
});

test("the sign-in says that the session was closed elsewhere, and returns to the page", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const somebody = await newPerson(api, ["ShopFloor", "ListOrders"]);
  const page = await pageOf(somebody);
  await page.goto("/#/operations/orders?late=true");
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await (await apiOf(somebody)).call("POST", "/identity/authentication/sign-out");
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page.getByText("Su sesión se cerró en otro lugar")).toBeVisible();
  await expectAccessible(page, "sign-in after an end");
  await signIn(page, somebody);
  await expect(page).toHaveURL(/#\/operations\/orders\?late=true$/);
});
