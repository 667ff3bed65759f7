/** Report of sales orders, dashboard and flow, as hooks and calls. Contract, section 6. */
import useSWR, { type SWRConfiguration } from "swr";
import type {
  ExpiredCount,
  Flow,
  LineReportRow,
  LineTotals,
  OrderReportRow,
  OrderStatus,
  StatusCount,
  Throughput,
} from "@/contract";
import { useCursorList } from "@/shared/hooks/useCursorList";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders, type Loaded } from "@/shared/http/client";
import type { PageQuery } from "@/shared/http/list";
import { keys } from "@/shared/keys";
import { useMay } from "@/shared/session/session";
import type { ExportFormat } from "@/shared/ui/ExportButton";
import type { Period } from "./periods";

/** `shown` asks for the report without any filter. */
export const REPORT_FILTERS = ["status", "customerId", "from", "to", "shown"] as const;
export type ReportFilter = (typeof REPORT_FILTERS)[number];

function asked(query: TableQuery<ReportFilter>): Record<string, string> {
  const { shown: _, ...filters } = query.server;
  return filters;
}

export function useReport(query: TableQuery<ReportFilter>) {
  const key = keys.reportLines(asked(query));
  return useCursorList<LineReportRow>(key, query, async (page) => {
    const request = api.GET("/api/reports", {
      params: { query: { ...asked(query), ...page } as never },
    });
    const loaded = await callWithHeaders(request);
    return { ...loaded, data: loaded.data.salesOrderPositions };
  });
}

export function useReportTotals(query: TableQuery<ReportFilter>) {
  const { ordering: _, ...filters } = asked(query);
  return useSWR<LineTotals, ApiError>(keys.reportTotals(filters), () =>
    call(api.GET("/api/reports/totals", { params: { query: filters as never } })),
  );
}

export function exportReport(query: TableQuery<ReportFilter>, format: ExportFormat) {
  const params = { query: { ...asked(query), format } as never };
  return api.GET("/api/reports", { params, parseAs: "blob" });
}

/** Who is told of no line asks every minute. */
const EVERY_MINUTE = 60_000;

function useFreshness(): SWRConfiguration {
  const told = [useMay("ListSalesOrders"), useMay("ListOrders")].includes(true);
  return { keepPreviousData: true, refreshInterval: told ? 0 : EVERY_MINUTE };
}

const daysOf = ({ from, to }: Period) => ({ start_date: from, end_date: to });

/** How many orders have each status. After an error it is empty, as the specification has it (section 4). */
export function useStatusCounts(period: Period): StatusCount[] | undefined {
  const path = daysOf(period);
  const { data, error } = useSWR<StatusCount[], ApiError>(
    keys.dashboard("statuses", period),
    () =>
      call(
        api.GET(
          "/api/reports/sales-orders/aggregate/status/start-date/{start_date}/end-date/{end_date}",
          { params: { path } },
        ),
      ),
    useFreshness(),
  );
  return error === undefined ? data : [];
}

export function useStatusDetails(status: OrderStatus, period: Period, query: Shown) {
  const path = { status, ...daysOf(period) };
  const key = keys.dashboard("details", { status, ...period });
  return useCursorList<OrderReportRow>(key, query, (page) =>
    callWithHeaders(
      api.GET(
        "/api/reports/sales-orders/details/status/{status}/start-date/{start_date}/end-date/{end_date}",
        { params: { path, query: page } },
      ),
    ),
  );
}

/** Which open lines: all past their delivery date, those due today, or due in the last days before. */
export type Expired = "all" | "today" | number;
type Shown = Pick<TableQuery, "show" | "more">;

const EXPIRED = "/api/reports/sales-orders/details/deliverydate/expired";

export function useExpired(which: Expired, query: Shown) {
  const key = keys.dashboard("expired", { which });
  return useCursorList<LineReportRow>(key, query, (page) => expiredPage(which, page));
}

function expiredPage(which: Expired, page: PageQuery): Promise<Loaded<LineReportRow[]>> {
  if (typeof which === "number") {
    const params = { path: { days: which }, query: page };
    return callWithHeaders(api.GET(`${EXPIRED}/days/{days}`, { params }));
  }
  const params = { query: page };
  return which === "all"
    ? callWithHeaders(api.GET(`${EXPIRED}/all`, { params }))
    : callWithHeaders(api.GET(`${EXPIRED}/today`, { params }));
}

export function useExpiredCount(days: number) {
  const path = { days };
  return useSWR<ExpiredCount, ApiError>(
    keys.dashboard("count", path),
    () =>
      call(
        api.GET("/api/reports/sales-orders/aggregate/deliverydate/expired/days/{days}", {
          params: { path },
        }),
      ),
    useFreshness(),
  );
}

export function useThroughput(query: Period) {
  return useSWR<Throughput[], ApiError>(
    keys.dashboard("throughput", query),
    () => call(api.GET("/api/reports/throughput", { params: { query } })),
    useFreshness(),
  );
}

/** Whose flow is looked at; nobody's in particular is the whole workshop's. */
export interface Whose {
  productionProcessId?: number;
  customerId?: number;
  itemId?: number;
}

export function useFlow(period: Period, whose: Whose) {
  const query = { ...period, ...whose };
  return useSWR<Flow, ApiError>(
    keys.flow(query),
    () => call(api.GET("/api/reports/flow", { params: { query } })),
    { keepPreviousData: true },
  );
}
