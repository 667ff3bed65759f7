export const ORDERS = "/operations/sales-orders";
/** The list of all lines of all orders. */
const ALL_LINES = "/operations/orders";
export const NEW_ORDER = `${ORDERS}/new`;
/** Address parameter of a new order: the id of the order to copy. */
export const COPY = "copy";

const LINE = "line";
const PIECES = "pieces";

/** A line that its customer wants again. */
export interface Again {
  position: number;
  /** The pieces that the customer asked for; null if they did not say. */
  quantity: number | null;
}

/** The page of a new order that copies this one, or only the line that is wanted again. */
export function copyPath(orderId: number, again: Again | null = null): string {
  const asked = new URLSearchParams({ [COPY]: String(orderId) });
  if (again !== null) {
    asked.set(LINE, String(again.position));
    if (again.quantity !== null) asked.set(PIECES, String(again.quantity));
  }
  return `${NEW_ORDER}?${asked.toString()}`;
}

/** Read what `copyPath` wrote; null if the whole order is copied. */
export function againOf(asked: URLSearchParams): Again | null {
  const position = countOf(asked.get(LINE));
  return position === null ? null : { position, quantity: countOf(asked.get(PIECES)) };
}

function countOf(text: string | null): number | null {
  const count = Number(text);
  return Number.isInteger(count) && count > 0 ? count : null;
}

export function orderPath(orderId: number): string {
  return `${ORDERS}/${orderId}`;
}

/** The page that edits the lines of an order in the grid. */
export function linesPath(orderId: number): string {
  return `${orderPath(orderId)}/lines`;
}

/** The page of a line, opened from its order: closing it returns there. */
export function linePath(orderId: number, position: number): string {
  return `${orderPath(orderId)}/position/${position}/${FROM_ORDER}`;
}

const FROM_ORDER = "a";
/** The route of every path that `linePath` returns. */
export const LINE_PAGE = `${ORDERS}/:id/position/:position/:configuration?`;

/** Return where closing the page of a line leads. */
export function pathAfterLine(orderId: number, configuration: string | undefined): string {
  return configuration === FROM_ORDER ? orderPath(orderId) : ALL_LINES;
}
