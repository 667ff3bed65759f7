/** An order is created, approved and moved in and out; other screens follow, and one of two people wins. */
import type { Locator, Page } from "@playwright/test";
import { cell, choose, chooseProduct, expect, expectSaved, test } from "./fixtures";

/** The row of a line on the page of its order. */
function row(page: Page, position: number): Locator {
  return page.getByRole("row").filter({ hasText: new RegExp(`^\\s*${position}`) });
}

/** The button of a movement names its pieces and its process. */
const MOVE = /^(Meter \d+ piezas? a|Sacar \d+ piezas? de) /;

async function open(page: Page, choice: string | RegExp): Promise<Locator> {
  const popup = page.getByRole("dialog").filter({ has: page.locator(".ob-choices") });
  await popup.getByRole("button", { name: choice }).click();
  return page.getByRole("dialog").filter({ has: page.locator(".ob-confirm") });
}

test(
  "an order is created, a line approved, sent into a process and out again",
  { tag: "@servers" },
  async ({ apiOf, pageOf }) => {
    test.slow(); // From a new order to an exit, by one person.
    const api = await apiOf("admin");
    const [item] = await api.call<{ name: string }[]>(
      "GET",
      "/api/items?fields=options&limit=1&status=true",
    );
    const [process] = await api.call<{ name: string }[]>(
      "GET",
      "/api/production-processes?status=true&filterByUser=true",
    );
    const page = await pageOf("admin");
    const po = `E2E-${Date.now()}`;

    await page.goto("/#/operations/sales-orders");
    await page.getByRole("button", { name: "Nueva orden" }).click();
    await expect(page).toHaveURL(/#\/operations\/sales-orders\/new$/);
    await expect(page.getByRole("heading", { name: "Nueva orden de venta" })).toBeVisible();
    await choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }), "Maison");
    await page.getByRole("textbox", { name: "PO#" }).fill(po);
    await page.getByLabel("Notas", { exact: true }).fill("Con estuche");
    await chooseProduct(page, item!.name);
    await cell(page, "Cantidad").fill("12");
    await page.getByRole("button", { name: "Guardar orden" }).click();
    await expectSaved(page);
    await expect(page).toHaveURL(/#\/operations\/sales-orders$/);

    await page.getByRole("link", { name: po }).click();
    await expect(page.getByRole("heading", { name: `Orden ${po}` })).toBeVisible();
    await row(page, 1)
      .getByRole("button", { name: /^Estado: Nuevo/ })
      .click();
    const approving = await open(page, "Aprobada");
    await expect(approving).toContainText("¿Cambiar el estado de la línea 1 a «Aprobada»?");
    await approving.getByRole("button", { name: "Aceptar" }).click();
    await expect(row(page, 1)).toContainText("Aprobada");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await row(page, 1)
      .getByRole("button", { name: /^Meter piezas de la línea/ })
      .click();
    const entering = await open(page, new RegExp(`^${process!.name}`));
    await entering.getByLabel("Piezas").fill("8");
    await entering.getByLabel("Notas").fill("Primer lote");
    await entering.getByRole("button", { name: MOVE }).click();
    await expect(page.getByText(`8 piezas en ${process!.name}`)).toBeVisible();
    await expect(row(page, 1)).toContainText("En proceso");
    await expect(row(page, 1)).toContainText(`8 en ${process!.name}`);

    await row(page, 1).getByRole("link").click();
    const detail = page.getByRole("article");
    await expect(
      detail.getByRole("button", { name: /^Salir de .+ Cambiar proceso$/ }),
    ).toBeVisible();
    await expect(detail).toContainText("1 de 1");
    await detail.getByRole("button", { name: `Sacar 8 de ${process!.name}`, exact: true }).click();
    const leaving = await open(page, new RegExp(`^${process!.name}`));
    await expect(leaving.getByLabel("Piezas")).toHaveValue("8");
    await leaving.getByRole("button", { name: MOVE }).click();
    await expect(
      detail.getByRole("button", { name: /^Entrar a .+ Cambiar proceso$/ }),
    ).toBeVisible();

    await detail.getByRole("button", { name: "Ver historial" }).click();
    const history = page.getByRole("dialog", { name: /^Historial/ });
    await expect(history.getByRole("row")).toHaveCount(2);
    await expect(history).toContainText("Primer lote");
    await history.getByRole("button", { name: "Cerrar" }).last().click();
    await detail.getByRole("button", { name: "Cerrar" }).click();
    await expect(page).toHaveURL(/#\/operations\/sales-orders\/\d+$/);
  },
);

test(
  "when a person moves pieces, the line and history on another screen follow and name them",
  { tag: "@servers" },
  async ({ apiOf, pageOf }) => {
    const admin = await apiOf("admin");
    const worker = await apiOf("worker");
    const [first] = await worker.call<{ id: number; name: string }[]>(
      "GET",
      "/api/production-processes?status=true&filterByUser=true",
    );
    const order = await admin.order(10);
    await admin.approve(order.id);
    const place = `/#/operations/sales-orders/${order.id}/position/1/a`;

    const watching = await pageOf("boss");
    await watching.goto(place);
    await expect(watching.getByText("Sin proceso")).toBeVisible();
    await expect(watching.getByText("En vivo", { exact: true })).toBeVisible();
    const working = await pageOf("worker");
    await working.goto(place);
    await working.getByRole("button", { name: "Meter", exact: true }).click();
    const entering = await open(working, new RegExp(`^${first!.name}`));
    await entering.getByRole("button", { name: MOVE }).click();

    await expect(watching.getByText(`Salir de ${first!.name}`).first()).toBeVisible();
    await expect(watching.getByRole("status", { name: "Novedades de la línea" })).toContainText(
      `Tomás Aguilar Reyes ingresó 10 piezas a ${first!.name}`,
    );
    await expect(working.getByRole("status", { name: "Novedades de la línea" })).toBeEmpty();
    await watching.getByRole("button", { name: "Ver historial" }).click();
    const history = watching.getByRole("dialog", { name: /^Historial/ });
    await expect(history.getByText("En proceso")).toBeVisible();

    await working.getByRole("button", { name: /^Sacar \d+ de / }).click();
    const leaving = await open(working, new RegExp(`^${first!.name}`));
    await leaving.getByLabel("Piezas").fill("4");
    await leaving.getByRole("button", { name: MOVE }).click();
    // An exit of four pieces splits the record: the other six keep their entry.
    await expect(history.getByRole("row")).toHaveCount(3);
    await history.getByRole("button", { name: "Cerrar" }).last().click();
    await expect(watching.getByText("6 piezas dentro")).toBeVisible();
  },
);

test(
  "the slower of two people reads who was faster, and sees the new state",
  { tag: "@servers" },
  async ({ apiOf, pageOf }) => {
    const admin = await apiOf("admin");
    const worker = await apiOf("worker");
    const [first, second] = await worker.call<{ id: number; name: string }[]>(
      "GET",
      "/api/production-processes?status=true&filterByUser=true",
    );
    const order = await admin.order(5);
    const line = await admin.approve(order.id);
    const slow = await pageOf("admin");
    // The live connection hangs, so this screen does not follow the other person.
    await slow.routeWebSocket("**/ws/events**", () => undefined);
    await slow.goto(`/#/operations/sales-orders/${order.id}/position/1/a`);
    await slow.getByRole("button", { name: "Meter", exact: true }).click();
    const entering = await open(slow, new RegExp(`^${second!.name}`));
    await worker.move("in", line, first!.id);
    await entering.getByRole("button", { name: MOVE }).click();

    const alert = slow.getByRole("alert").filter({ hasText: "Alguien fue más rápido" });
    await expect(alert).toContainText(`Tomás Aguilar Reyes ingresó 5 piezas a ${first!.name}`);
    await expect(alert).toContainText("ya no queda ninguna por meter");
    await expect(alert).toContainText("5 de 5 piezas dentro");
    // The popup keeps its input, which can no longer be sent.
    await expect(entering.getByLabel("Piezas")).toHaveValue("5");
    await expect(entering.getByText("Ya no quedan piezas por meter")).toBeVisible();
    await expect(entering.getByRole("button", { name: `Meter a ${second!.name}` })).toBeDisabled();
    const [record] = await admin.call<{ productionProcessId: number }[]>(
      "GET",
      `/api/sales-order/${order.id}/position/1/history`,
    );
    expect(record?.productionProcessId).toBe(first!.id);
  },
);

test("an open popup cannot send a status that the line no longer offers", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const order = await admin.order(5, 5);
  const page = await pageOf("admin");
  await page.goto(`/#/operations/sales-orders/${order.id}`);
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await row(page, 1)
    .getByRole("button", { name: /^Estado: Nuevo/ })
    .click();
  const asking = await open(page, "Aprobada");
  await expect(asking).toContainText("«Aprobada»");
  await admin.call("PUT", `/api/sales-order/${order.id}/position/1/update-status/Canceled`);
  await expect(page.getByText("La línea cambió mientras elegía")).toBeVisible();
  await expect(page.getByRole("button", { name: "Aceptar" })).toHaveCount(0);
});

test("an exit and a wrong entry are released, and the history keeps them", async ({
  apiOf,
  pageOf,
}) => {
  const admin = await apiOf("admin");
  const processId = await admin.firstId("production-processes");
  const order = await admin.order(5, 5);
  const line = await admin.approve(order.id);
  await admin.move("in", line, processId);
  await admin.move("in", await admin.approve(order.id, 2), processId);
  const left = await admin.move("out", line, processId);
  const name = left.lastProductionProcess?.productionProcessName ?? "";
  const page = await pageOf("admin");
  await page.goto(`/#/operations/sales-orders/${order.id}/position/1/a`);
  const detail = page.getByRole("article");
  await detail.getByRole("button", { name: "Liberar proceso" }).click();
  const confirming = await open(page, name);
  await confirming.getByRole("button", { name: "Aceptar" }).click();
  await expect(page.getByText(`Proceso liberado: ${name}`)).toBeVisible();
  await expect(detail.getByText("Sin proceso")).toBeVisible();
  await expect(detail.getByRole("button", { name: "Liberar proceso" })).toBeDisabled();
  await detail.getByRole("button", { name: "Ver historial" }).click();
  const released = page.getByRole("row").filter({ hasText: name });
  await expect(released).toContainText("Liberado");
  await expect(released).toContainText("Sí");

  await page.goto(`/#/operations/sales-orders/${order.id}/position/2/a`);
  await detail.getByRole("button", { name: "Liberar proceso" }).click();
  const popup = page.getByRole("dialog");
  await popup.getByRole("button", { name: /entrada de 5 piezas/ }).click();
  await expect(popup).toContainText("Su última entrada queda anulada");
  await popup.getByRole("button", { name: "Aceptar" }).click();
  await expect(detail.getByText("Sin proceso")).toBeVisible();
});
