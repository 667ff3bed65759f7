/** Where orders and lines stand in the address. */
export const ORDERS = "/operations/sales-orders";
/** Every line of every order. */
const ALL_LINES = "/operations/orders";
export const NEW_ORDER = `${ORDERS}/new`;
/** In the address of a new order: the order that it is to be like. */
export const COPY = "copy";

export function copyPath(orderId: number): string {
  return `${NEW_ORDER}?${COPY}=${orderId}`;
}

export function orderPath(orderId: number): string {
  return `${ORDERS}/${orderId}`;
}

/** Where the lines of an order are changed in the grid. */
export function linesPath(orderId: number): string {
  return `${orderPath(orderId)}/lines`;
}

/** From an order, so that closing returns to it. */
export function linePath(orderId: number, position: number): string {
  return `${orderPath(orderId)}/position/${position}/${FROM_ORDER}`;
}

const FROM_ORDER = "a";
/** Every address that `linePath` gives. */
export const LINE_PAGE = `${ORDERS}/:id/position/:position/:configuration?`;

/** Where closing a routed line leads. */
export function pathAfterLine(orderId: number, configuration: string | undefined): string {
  return configuration === FROM_ORDER ? orderPath(orderId) : ALL_LINES;
}

/** A new bill of what is ready of a customer: of one order, or of the lines named. The page of bills reads it. */
export function newBillPath(
  of: { customerId: number } & ({ salesOrderId: number } | { lines: readonly string[] }),
): string {
  const asked = new URLSearchParams({ customerId: String(of.customerId) });
  if ("lines" in of) asked.set("lines", of.lines.join(","));
  else asked.set("salesOrderId", String(of.salesOrderId));
  return `/reports/bills/new?${asked.toString()}`;
}
