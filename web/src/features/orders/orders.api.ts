/** Hooks for orders and lines. */
import type { Line, SalesOrder } from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { load, useAnswer, useList } from "@/shared/http/data";
import { FIRST, FORECAST, HISTORY, LINE, LINES, ORDER } from "@/shared/http/keys";

export const LINE_FILTERS = [
  "status",
  "customerId",
  "productionProcessId",
  "from",
  "to",
  "late",
  "dueThisWeek",
  "insideOverADay",
  "likelyLate",
  "called",
  "toWeigh",
  "toSign",
  "risk",
] as const;
export type LineFilter = (typeof LINE_FILTERS)[number];

/** All lines of all orders. Without an ordering, late ones come first. */
export function useLines(query: TableQuery<LineFilter>) {
  return useList(LINES, { query: query.server }, query);
}

export const orderAt = (orderId: number) => ({ path: { order_id: orderId } });
export const lineAt = (orderId: number, position: number) => ({
  path: { order_id: orderId, position },
});

export function loadOrder(orderId: number): Promise<SalesOrder> {
  return load(ORDER, orderAt(orderId));
}

export function useOrder(orderId: number) {
  return useAnswer(ORDER, orderAt(orderId));
}

export function loadLine(orderId: number, position: number): Promise<Line> {
  return load(LINE, lineAt(orderId, position));
}

export function useLine(orderId: number, position: number) {
  return useAnswer(LINE, lineAt(orderId, position));
}

/** All process records of a line, newest first. */
export function useHistory(orderId: number, position: number) {
  return useAnswer(HISTORY, lineAt(orderId, position));
}

/** The reasons for a line's forecast. */
export function useForecastReasons(orderId: number, position: number) {
  return useAnswer(FORECAST, lineAt(orderId, position));
}

/** The effect if the line went before all others. Sends no request until `asked`. */
export function useGoesFirst(orderId: number, position: number, asked: boolean) {
  return useAnswer(FIRST, asked ? lineAt(orderId, position) : null, { revalidateOnFocus: false });
}

/** The data of a work sheet that its line lacks: code, company, logo and number of lines. */
export function useSheet(orderId: number, position: number) {
  return useAnswer("/api/work-sheets/{order_id}/position/{position}", lineAt(orderId, position));
}
