/** A customer account reads its own orders and bills: no refusal, no toast, no button that writes but answers. */
import type { Delivery, SalesOrder } from "@/contract";
import { expect, test, unique, type Api } from "./fixtures";
import { newPerson } from "./people";

const ADDRESS = { kind: "Commercial", street: "Av. Juárez", city: "Taxco", country: "MX" };
const NOTE = "Solo para el taller";

interface Trade {
  customerId: number;
  order: SalesOrder;
  bill: Delivery;
}

/** Create an order of a new customer with a line in process, a billed line, and notes of the staff. */
async function trade(api: Api): Promise<Trade> {
  const { id: customerId } = await api.call<{ id: number }>("POST", "/api/customers", {
    name: `Cliente ${unique()}`,
    addresses: [ADDRESS],
  });
  const [itemId, processId] = await Promise.all([
    api.firstId("items"),
    api.firstId("production-processes"),
  ]);
  const order = await api.call<SalesOrder>("POST", "/api/sales-order", {
    customerId,
    customerSalesOrderId: `E2E-${unique()}`,
    notes: NOTE,
    items: [
      { itemId, quantity: 5, notes: NOTE },
      { itemId, quantity: 7 },
    ],
  });
  const inWork = await api.approve(order.id, 1);
  await api.move("in", inWork, processId, 3);
  const finished = await api.approve(order.id, 2);
  await api.move("in", finished, processId);
  await api.move("out", finished, processId);
  await api.call("PUT", `/api/sales-order/${order.id}/position/2/update-status/Done`);
  const bill = await api.call<Delivery>("POST", "/api/deliveries", {
    guideNumber: "G-1",
    currency: "USD",
    lines: [{ salesOrderId: order.id, position: 2, quantity: 7, price: 3 }],
  });
  return { customerId, order, bill };
}

test("a customer account reads its orders and bills without a refusal, and sees no notes or actions of staff", async ({
  apiOf,
  pageOf,
}) => {
  const api = await apiOf("admin");
  const { customerId, order, bill } = await trade(api);
  const account = await newPerson(api, ["ListSalesOrders", "UpdateSalesOrder", "Dashboard"], {
    userType: "Customer",
    customerId,
  });
  const page = await pageOf(account);
  const refused: string[] = [];
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });

  await page.goto("/#/home");
  await expect(page.getByRole("heading", { name: "Sus pedidos" })).toBeVisible();
  // The home is the page that links open, with all its parts.
  const atHome = page.getByRole("article").filter({ hasText: order.customerSalesOrderId });
  await expect(atHome.getByText(/^En producción/)).toBeVisible();
  await expect(atHome.getByText("Guía G-1")).toBeVisible();
  await expect(atHome.getByRole("button", { name: /^Factura F-/ })).toBeVisible();
  await atHome.getByRole("button", { name: "Responder, línea 1" }).click();
  await atHome.getByRole("radio", { name: "Comentar" }).check();
  await atHome.getByRole("textbox", { name: "Su comentario" }).fill("¿Llega antes del 10?");
  await atHome.getByRole("button", { name: "Enviar" }).click();
  await expect(atHome.getByText("¿Llega antes del 10?")).toBeVisible();
  await expect(page.getByText(NOTE)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /notificaciones/i })).toHaveCount(0);
  await page.getByRole("button", { name: "Abrir el menú" }).click();
  const links = page.getByRole("navigation").getByRole("link");
  await expect(links).toHaveText(["Inicio", "Órdenes de venta", /./, /./, /./]);
  await links.nth(1).click();

  // The home page, which names the order twice, stays until the list is there.
  await expect(page.getByRole("heading", { level: 1, name: "Órdenes de venta" })).toBeVisible();
  await expect(page.getByText(order.customerSalesOrderId)).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Cliente" })).toHaveCount(0);
  await page.getByText(order.customerSalesOrderId).first().click();
  await expect(page.getByRole("heading", { name: order.customerSalesOrderId })).toBeVisible();
  await expect(page.getByText(/^3 en /)).toBeVisible();
  await expect(page.getByText(NOTE)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Eliminar|Editar|Agregar/ })).toHaveCount(0);

  await page.goto(`/#/operations/sales-order/${order.id}/position/1`);
  await expect(page.getByText("3 piezas").first()).toBeVisible();
  await expect(page.getByText(NOTE)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Historial|Liberar|Entrar|Salir/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Generar PDF" })).toHaveCount(0);

  await page.goto("/#/operations/orders");
  await expect(page.getByText(order.customerSalesOrderId).first()).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Cliente" })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Escanear" })).toHaveCount(0);

  await page.goto("/#/reports/bills");
  await expect(page.getByText("G-1").or(page.getByText("21.00")).first()).toBeVisible();
  await page.goto(`/#/reports/bills/${bill.id}`);
  await expect(page.getByText(`${order.customerSalesOrderId} · línea 2`)).toBeVisible();
  await expect(page.getByRole("button", { name: /Cancelar factura|Editar/ })).toHaveCount(0);

  await expect(page.locator(".ob-toast")).toHaveCount(0);
  expect(refused, "refusals on the way").toEqual([]);
  expect(asked.filter((path) => path.startsWith("/api/notifications"))).toEqual([]);
});
