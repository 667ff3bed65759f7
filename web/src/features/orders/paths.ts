/** Where orders and lines stand in the address. Specification 2, section 2. */
export const ORDERS = "/operations/sales-orders";
/** Every line of every order. */
const ALL_LINES = "/operations/orders";
export const NEW_ORDER = `${ORDERS}/new`;

export function orderPath(orderId: number): string {
  return `${ORDERS}/${orderId}`;
}

/** From an order, so that closing returns to it. */
export function linePath(orderId: number, position: number): string {
  return `${orderPath(orderId)}/position/${position}/${FROM_ORDER}`;
}

const FROM_ORDER = "a";

/** Where closing a routed line leads. */
export function pathAfterLine(orderId: number, configuration: string | undefined): string {
  return configuration === FROM_ORDER ? orderPath(orderId) : ALL_LINES;
}
