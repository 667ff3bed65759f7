/** Orders, lines and what their forms choose from, as hooks. Contract, section 4. */
import useSWR from "swr";
import type { Line, Option, ProcessRecord, SalesOrder } from "@/contract";
import { useCursorList } from "@/shared/hooks/useCursorList";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders, QUIET } from "@/shared/http/client";
import { keys } from "@/shared/keys";

export const ORDER_FILTERS = ["status", "customerId", "from", "to"] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** How many products or customers a search offers at once. */
const OFFERED = 30;

/** The filters stand in the address as text; the server judges them, a wrong one is its 422. */
export function useOrders(query: TableQuery<OrderFilter>) {
  return useCursorList<SalesOrder>(keys.orders(query.server), query, (page) =>
    callWithHeaders(
      api.GET("/api/sales-order", { params: { query: { ...query.server, ...page } } }),
    ),
  );
}

export function loadOrder(orderId: number): Promise<SalesOrder> {
  return call(api.GET("/api/sales-order/{order_id}", { params: { path: { order_id: orderId } } }));
}

export function useOrder(orderId: number) {
  return useSWR<SalesOrder, ApiError>(keys.order(orderId), () => loadOrder(orderId));
}

export function loadLine(orderId: number, position: number): Promise<Line> {
  const path = { order_id: orderId, position };
  return call(api.GET("/api/sales-order/{order_id}/position/{position}", { params: { path } }));
}

export function useLine(orderId: number, position: number) {
  return useSWR<Line, ApiError>(keys.line(orderId, position), () => loadLine(orderId, position));
}

/** All process records of a line, newest first. */
export function useHistory(orderId: number, position: number) {
  const path = { order_id: orderId, position };
  return useSWR<ProcessRecord[], ApiError>(keys.history(orderId, position), () =>
    call(api.GET("/api/sales-order/{order_id}/position/{position}/history", { params: { path } })),
  );
}

/** Active customers or products whose name holds `search`; the last answer stays while the next is awaited. */
export function useOptions(catalog: "customers" | "items", search: string) {
  const query = {
    fields: "options",
    status: true,
    limit: OFFERED,
    ...(search === "" ? {} : { search }),
  } as const;
  return useSWR<Option[], ApiError>(
    keys[catalog](query),
    async () => {
      const whole = await call(api.GET(`/api/${catalog}`, { params: { query }, headers: QUIET }));
      return whole as Option[]; // `fields=options` answers nothing more.
    },
    { keepPreviousData: true },
  );
}
