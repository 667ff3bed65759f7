/**
 * Hooks and calls for the report of sales orders, the dashboard and the flow. See
 * infra/docs/rules.md#reports.
 */
import type { SWRConfiguration } from "swr";
import type { LineReportRow, OrderStatus, StatusCount } from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { useAnswer, useList, type Shown } from "@/shared/http/data";
import { REPORT, REPORT_OF_CUSTOMER } from "@/shared/http/keys";
import { listAsFile } from "@/shared/http/download";
import { useMay } from "@/shared/session/session";
import type { ExportFormat } from "@/shared/ui/ExportButton";
import type { Period } from "./periods";

/** The filters of the report. `shown` shows it without another filter. */
export const REPORT_FILTERS = ["status", "customerId", "from", "to", "shown"] as const;
export type ReportFilter = (typeof REPORT_FILTERS)[number];

function asked(query: TableQuery<ReportFilter>): Record<string, string> {
  const { shown: _, ...filters } = query.server;
  return filters;
}

/**
 * Return the path and parameters of the report. If customer, status and both days are chosen, the
 * path contains them.
 */
export function reportCall(query: TableQuery<ReportFilter>) {
  const { status, customerId, from, to, ...rest } = asked(query);
  if (status && from && to && /^\d+$/.test(customerId ?? "")) {
    const place = { customer_id: Number(customerId), status, start_date: from, end_date: to };
    return { path: REPORT_OF_CUSTOMER, asked: { path: place, query: rest } } as const;
  }
  return { path: REPORT, asked: { path: {}, query: asked(query) } } as const;
}

export function useReport(query: TableQuery<ReportFilter>) {
  const { path, asked: parameters } = reportCall(query);
  return useList<typeof path, LineReportRow>(path, parameters, query, {
    rowsOf: ({ salesOrderPositions }) => salesOrderPositions,
  });
}

export function useReportTotals(filters: TableQuery<ReportFilter>) {
  const { ordering: _, ...query } = asked(filters);
  return useAnswer("/api/reports/totals", { query });
}

export function exportReport(query: TableQuery<ReportFilter>, format: ExportFormat) {
  const { path, asked: parameters } = reportCall(query);
  return listAsFile(path, parameters.query, format, parameters.path);
}

/** Poll interval for users who receive no events of lines, in ms. */
const EVERY_MINUTE = 60_000;

function useFreshness(): SWRConfiguration {
  const hearsOfLines = [useMay("ListSalesOrders"), useMay("ListOrders")].includes(true);
  return { keepPreviousData: true, refreshInterval: hearsOfLines ? 0 : EVERY_MINUTE };
}

const daysOf = ({ from, to }: Period) => ({ start_date: from, end_date: to });

/** The number of orders with each status. Empty after an error. */
export function useStatusCounts(period: Period): StatusCount[] | undefined {
  const { data, error } = useAnswer(
    "/api/reports/sales-orders/aggregate/status/start-date/{start_date}/end-date/{end_date}",
    { path: daysOf(period) },
    useFreshness(),
  );
  return error === undefined ? data : [];
}

export function useStatusDetails(status: OrderStatus, period: Period, shown: Shown) {
  return useList(
    "/api/reports/sales-orders/details/status/{status}/start-date/{start_date}/end-date/{end_date}",
    { path: { status, ...daysOf(period) } },
    shown,
  );
}

/**
 * Which open lines: all past their delivery date, those due today, or those due in the last days
 * before.
 */
export type Expired = "all" | "today" | number;

const EXPIRED = "/api/reports/sales-orders/details/deliverydate/expired";

export function useExpired(which: Expired, shown: Shown) {
  const byDays = typeof which === "number";
  return useList(
    byDays ? (`${EXPIRED}/days/{days}` as const) : (`${EXPIRED}/${which}` as const),
    byDays ? { path: { days: which } } : {},
    shown,
  );
}

export function useExpiredCount(days: number) {
  return useAnswer(
    "/api/reports/sales-orders/aggregate/deliverydate/expired/days/{days}",
    { path: { days } },
    useFreshness(),
  );
}

export function useThroughput(query: Period) {
  return useAnswer("/api/reports/throughput", { query }, useFreshness());
}

/**
 * The process, customer or product to which the flow is limited. Without any, it is the flow of the
 * whole workshop.
 */
export interface Whose {
  productionProcessId?: number;
  customerId?: number;
  itemId?: number;
}

export function useFlow(period: Period, whose: Whose) {
  const query = { ...period, ...whose };
  return useAnswer("/api/reports/flow", { query }, { keepPreviousData: true });
}
