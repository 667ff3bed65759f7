/** Orders, lines and what their forms choose from, as hooks. Contract, section 4. */
import useSWR from "swr";
import type { Line, LineRow, OrderSummary, ProcessRecord, SalesOrder } from "@/contract";
import { useCursorList } from "@/shared/hooks/useCursorList";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders } from "@/shared/http/client";
import { keys } from "@/shared/keys";

export const ORDER_FILTERS = ["status", "customerId", "from", "to"] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** The filters stand in the address as text; the server judges them, a wrong one is its 422. */
export function useOrders(query: TableQuery<OrderFilter>) {
  const key = keys.orders(query.server);
  return useCursorList<OrderSummary>(key, query, (page) =>
    callWithHeaders(
      api.GET("/api/sales-order", {
        params: { query: { ...query.server, ...page } },
      }),
    ),
  );
}

export const LINE_FILTERS = [
  "status",
  "customerId",
  "productionProcessId",
  "from",
  "to",
  "late",
] as const;
export type LineFilter = (typeof LINE_FILTERS)[number];

/** Every line of every order; without an order asked for, what is late first. */
export function useLines(query: TableQuery<LineFilter>) {
  const key = keys.lines(query.server);
  return useCursorList<LineRow>(key, query, (page) =>
    callWithHeaders(
      api.GET("/api/sales-order/positions", {
        params: { query: { ...query.server, ...page } as never },
      }),
    ),
  );
}

export function loadOrder(orderId: number): Promise<SalesOrder> {
  const path = { order_id: orderId };
  return call(api.GET("/api/sales-order/{order_id}", { params: { path } }));
}

export function useOrder(orderId: number) {
  const key = keys.order(orderId);
  return useSWR<SalesOrder, ApiError>(key, () => loadOrder(orderId));
}

export function loadLine(orderId: number, position: number): Promise<Line> {
  const path = { order_id: orderId, position };
  return call(api.GET("/api/sales-order/{order_id}/position/{position}", { params: { path } }));
}

export function useLine(orderId: number, position: number) {
  const key = keys.line(orderId, position);
  return useSWR<Line, ApiError>(key, () => loadLine(orderId, position));
}

/** All process records of a line, newest first. */
export function useHistory(orderId: number, position: number) {
  const key = keys.history(orderId, position);
  const path = { order_id: orderId, position };
  return useSWR<ProcessRecord[], ApiError>(key, () =>
    call(
      api.GET("/api/sales-order/{order_id}/position/{position}/history", {
        params: { path },
      }),
    ),
  );
}

/** What the line's work sheet shows beside it: its code, and whose sheet it is. */
export function useSheet(orderId: number, position: number) {
  const path = { order_id: orderId, position };
  return useSWR(keys.sheet(orderId, position), () =>
    call(api.GET("/api/work-sheets/{order_id}/position/{position}", { params: { path } })),
  );
}
