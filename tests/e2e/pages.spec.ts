/** What a person may rely on, on every page: what is chosen is done, what is missing is said, links lead somewhere. */
import type { Page } from "@playwright/test";
import type { Line, Payable } from "@/contract";
import { expectAccessible, expectWithin } from "./looks";
import { expect, expectSaved, signIn, test, type Api } from "./fixtures";
import { newPerson } from "./people";

const VIEWS = [
  { name: "office", width: 1440, height: 900 },
  { name: "phone", width: 390, height: 844 },
] as const;
const LINES = 30;

/** Somebody's thirty exits from one process, one piece each. */
async function thirtyExits(
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

/** The bar stands in the window, below the navbar, and has not moved the rows. */
async function expectInSight(page: Page, before: number): Promise<void> {
  const bar = await page.locator(".ob-selection").boundingBox();
  const navbar = await page.locator(".ob-navbar").boundingBox();
  const { height } = page.viewportSize() ?? { height: 0 };
  expect(bar!.y).toBeGreaterThanOrEqual(navbar!.y + navbar!.height);
  expect(bar!.y + bar!.height).toBeLessThanOrEqual(height);
  expect(await topOfRows(page)).toBe(before);
}

const topOfRows = async (page: Page) => (await page.locator(".ob-table").boundingBox())!.y;

for (const { name, ...size } of VIEWS) {
  test(`a selection says how many of how many, offers all that match, and stays in sight (${name})`, async ({
    apiOf,
    pageOf,
  }) => {
    const api = await apiOf("admin");
    const order = await api.order(...Array.from({ length: LINES }, () => 2));
    const page = await pageOf("admin");
    await page.setViewportSize(size);
    await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}`);
    const bar = page.getByRole("region", { name: "Líneas elegidas" });
    const said = bar.getByRole("status");
    await expect(page.getByText("25 de 30", { exact: true })).toBeVisible();
    const before = await topOfRows(page);
    if (name === "office") {
      await page.getByRole("checkbox", { name: "Seleccionar todo" }).check();
      await expect(said).toHaveText("25 de 30 seleccionadas");
    } else {
      await page
        .getByRole("checkbox", { name: `${order.customerSalesOrderId} · 3`, exact: true })
        .check();
      await expect(said).toHaveText("1 de 30 seleccionadas");
    }
    await expectInSight(page, before);
    await expectAccessible(page, `selection, ${name}`);
    await expectWithin(page, `selection, ${name}`);
    await bar.getByRole("button", { name: "Seleccionar las 30 que coinciden" }).click();
    await expect(said).toHaveText("30 de 30 seleccionadas");
    await expect(bar.getByRole("button", { name: "Aprobar (30)" })).toBeVisible();

    // Somebody approves one: it is still chosen, and no longer to be approved.
    await api.approve(order.id, 30);
    await page.goto(`/#/operations/orders?search=${order.customerSalesOrderId}&status=Approved`);
    await expect(said).toContainText("1 de 1 seleccionadas");
    await expect(said).toContainText("y 29 seleccionadas que no están en esta lista");
    await expect(bar.getByRole("button", { name: "Aprobar (29)" })).toBeVisible();
    await page.mouse.wheel(0, 10_000);
    await bar.getByRole("button", { name: "Quitar las que no están" }).click();
    await expect(said).toHaveText("1 de 1 seleccionadas");
    await bar.getByRole("button", { name: "Cancelar líneas (1)" }).click();
    await page.getByRole("button", { name: "No, conservar" }).click();
    const line = await api.call<Line>("GET", `/api/sales-order/${order.id}/position/30`);
    expect(line.status).toBe("Approved");
  });

  test(`all that match are paid, and the question names person and sum (${name})`, async ({
    apiOf,
    pageOf,
  }) => {
    test.slow();
    const admin = await apiOf("admin");
    const { worker, order } = await thirtyExits(admin, apiOf);
    const path = `/api/sales-order/positions/production-processes?search=${order.customerSalesOrderId}`;
    const records = await admin.call<Payable[]>("GET", `${path}&limit=200`);
    const sum = (records.length * records[0]!.price).toLocaleString("es-MX", {
      minimumFractionDigits: 2,
    });
    const page = await pageOf("admin");
    await page.setViewportSize(size);
    await page.goto(`/#/reports/pay-orders?search=${order.customerSalesOrderId}`);
    await expect(page.getByText("25 de 30", { exact: true })).toBeVisible();
    const before = await topOfRows(page);
    await page.locator(".ob-table").getByRole("checkbox").nth(0).check();
    await expectInSight(page, before);
    const bar = page.getByRole("region", { name: "Registros elegidos" });
    await bar.getByRole("button", { name: "Seleccionar los 30 que coinciden" }).click();
    await expect(bar.getByRole("status")).toContainText("30 de 30 seleccionados");
    const words = `$${sum} MXN a ${worker.name}`;
    await bar.getByRole("button", { name: `Pagar ${words}…` }).click();
    const drawer = page.getByRole("dialog", { name: "Pagar destajo" });
    await drawer.getByRole("button", { name: `Pagar ${words}` }).click();
    const question = page.getByRole("dialog", { name: `¿Pagar ${words}?` });
    await expect(question.getByRole("listitem")).toContainText(`${worker.name}30 piezas`);
    await expectAccessible(page, `pay question, ${name}`);
    await expectWithin(page, `pay question, ${name}`);
    expect(await admin.call<Payable[]>("GET", `${path}&pending=true&limit=200`)).toHaveLength(30);
    await question.getByRole("button", { name: `Sí, pagar ${words}` }).click();
    await expectSaved(page);
    await expect(bar).toBeHidden();
    expect(await admin.call<Payable[]>("GET", `${path}&pending=true&limit=200`)).toEqual([]);
  });

  test(`without a network parts that are not loaded say so, and come when it is back (${name})`, async ({
    pageOf,
  }) => {
    // A page that an earlier journey opened would come from what the browser stored.
    const page = await pageOf("admin", { own: true });
    await page.setViewportSize(size);
    await page.goto("/#/catalogs/materials");
    await page.getByRole("searchbox").fill("plata");
    await page.route("**/*", (route) => route.abort("internetdisconnected"));
    const missing = page.getByRole("alert").filter({ hasText: "Esta parte no ha llegado" });
    await page.getByRole("button", { name: "Abrir el menú" }).click();
    await expect(missing).toBeVisible();
    await expectAccessible(page, `a menu that did not come, ${name}`);
    await missing.getByRole("button", { name: "Cerrar" }).click();
    await expect(missing).toBeHidden();
    await expect(page.getByRole("searchbox")).toHaveValue("plata");

    // A network that is really gone, since a browser remembers what did not come of it.
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
}

test("a page whose files are gone after an update is loaded anew once, not again and again", async ({
  pageOf,
}) => {
  const page = await pageOf("admin");
  await page.goto("/#/catalogs/materials");
  await expect(page.getByRole("heading", { name: "Materiales" })).toBeVisible();
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await page.route("**/static/ComponentsPage*", (route) => route.fulfill({ status: 404 }));
  await page.evaluate(() => {
    window.location.hash = "#/catalogs/components";
  });
  await expect.poll(() => loads).toBe(1);
  await expect(page.getByRole("main").getByText("Esta parte no ha llegado")).toBeVisible();
  expect(loads).toBe(1);
  await page.unrouteAll({ behavior: "wait" });
  await page.getByRole("main").getByRole("button", { name: "Intentar de nuevo" }).click();
  await expect(page.getByRole("heading", { name: "Componentes" })).toBeVisible();
  expect(loads).toBeLessThanOrEqual(2); // The person's own.
});

test("a link opened in a signed-out tab leads there after the sign-in, and nobody else", async ({
  page,
}) => {
  await page.goto("/#/operations/orders?status=New&late=true");
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page.getByText("Su sesión")).toHaveCount(0);
  await signIn(page, "admin");
  await expect(page).toHaveURL(/#\/operations\/orders\?status=New&late=true$/);
  await page.getByRole("button", { name: /^Menú de / }).click();
  await page.getByRole("menuitem", { name: "Cerrar sesión" }).click();
  await expect(page).toHaveURL(/#\/login$/);
  await signIn(page, "boss");
  await expect(page).not.toHaveURL(/login|orders/);
});

test("an address of no page says so and leads to the start", async ({ pageOf }) => {
  const page = await pageOf("worker");
  await page.goto("/#/no-hay-tal-pagina?x=1");
  await expect(page.getByText("Esta página no existe")).toBeVisible();
  await expect(page).toHaveURL(/#\/(home|dashboard)$/);
  await expect(page.getByText("No tiene permisos")).toHaveCount(0);
});

test("the sign-in says that a session was closed somewhere else", async ({ apiOf, pageOf }) => {
  const api = await apiOf("admin");
  const somebody = await newPerson(api, ["ShopFloor", "ListOrders"]);
  const page = await pageOf(somebody);
  await page.goto("/#/operations/orders?late=true");
  await expect(page.getByText("En vivo")).toBeVisible();
  await (await apiOf(somebody)).call("POST", "/identity/authentication/sign-out");
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page.getByText("Su sesión se cerró en otro lugar")).toBeVisible();
  await expectAccessible(page, "sign-in after an end");
  await signIn(page, somebody);
  await expect(page).toHaveURL(/#\/operations\/orders\?late=true$/);
});

test("a slow refresh of home, board and bell draws no spinner over the page", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const order = await api.order(5);
  const line = await api.approve(order.id);
  const page = await pageOf("worker");
  for (const address of ["/#/home", "/#/shop-floor"]) {
    // oxlint-disable no-await-in-loop
    const loaded = page.waitForResponse(/\/api\/shop-floor/);
    await page.goto(address);
    await loaded;
    await expect(page.getByText("En vivo").first()).toBeVisible();
    await expect(page.locator(".ob-overlay")).toHaveCount(0);
    const slow = /\/api\/(shop-floor|notifications)/;
    await page.route(slow, async (route) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 1_000);
      });
      await route.continue();
    });
    await page.evaluate(() => {
      delete document.body.dataset["spun"];
      const seen = new MutationObserver(() => {
        if (document.querySelector(".ob-overlay")) document.body.dataset["spun"] = "yes";
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    const refreshed = page.waitForResponse((response) =>
      response.url().includes(address === "/#/home" ? "/api/shop-floor/own" : "/api/shop-floor"),
    );
    await api.call("PUT", `/api/sales-order/${order.id}`, { notes: `nota ${address}` });
    await api.call("PUT", `/api/sales-order/${order.id}/position/${line.position}/full`, {
      notes: address,
    });
    await refreshed;
    await expect(page.locator("body")).not.toHaveAttribute("data-spun", "yes");
    await page.unrouteAll({ behavior: "wait" });
    // oxlint-enable no-await-in-loop
  }
});
