/** Helpers for the journeys of bills: finished lines of a new customer, and how to find them in the form. */
import type { Locator, Page } from "@playwright/test";
import type { Line, SalesOrder } from "@/contract";
import { choose, unique, type Api } from "./fixtures";

export const ADDRESS = { kind: "Commercial", street: "Av. Juárez", city: "Taxco", country: "MX" };

interface Finished {
  customer: string;
  customerId: number;
  order: SalesOrder;
}

interface Trade {
  addresses?: object[];
  /** The currency of the customer; the product costs 12.50 USD. */
  currency?: string;
}

/** Create an order of a new customer with lines of these quantities, and bring them to Done. */
export async function finished(
  api: Api,
  quantities: number[],
  trade: Trade = {},
): Promise<Finished> {
  const customer = `Cliente ${unique()}`;
  const { id: customerId } = await api.call<{ id: number }>("POST", "/api/customers", {
    name: customer,
    addresses: [ADDRESS],
    currency: "USD",
    ...trade,
  });
  const key = unique();
  const { id: itemId } = await api.call<{ id: number }>("POST", "/api/items", {
    key,
    name: `Anillo ${key}`,
    sellPrice: 12.5,
    currency: "USD",
  });
  const processId = await api.firstId("production-processes");
  const order = await api.call<SalesOrder>("POST", "/api/sales-order", {
    customerId,
    customerSalesOrderId: `E2E-${unique()}`,
    items: quantities.map((quantity) => ({ itemId, quantity })),
  });
  for (const { position } of order.items) {
    // oxlint-disable no-await-in-loop -- one step after the other
    const line = await api.approve(order.id, position);
    await api.move("in", line, processId);
    await api.move("out", line, processId);
    const place = `/api/sales-order/${order.id}/position/${position}`;
    await api.call<Line>("PUT", `${place}/update-status/Done`);
    // oxlint-enable no-await-in-loop
  }
  return { customer, customerId, order };
}

/** A line in the list of lines that can be billed. */
export const lineOf = (page: Page, { customerSalesOrderId }: SalesOrder, position = 1): Locator =>
  page.getByRole("row").filter({ hasText: `${customerSalesOrderId} · línea ${position}` });

export const chooseCustomer = (page: Page, name: string) =>
  choose(page, page.getByRole("combobox", { name: "Cliente", exact: true }), name);
