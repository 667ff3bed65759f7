/** Bills and what can be billed, as hooks. Contract, section 5. */
import useSWR from "swr";
import type { BillableLine, Delivery, DeliveryCurrencies, DeliveryTotals } from "@/contract";
import { useCursorList } from "@/shared/hooks/useCursorList";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders, QUIET } from "@/shared/http/client";
import { fetchFile, type ServedFile } from "@/shared/http/download";
import { keys } from "@/shared/keys";
import { readLanguage } from "@/shared/session/language";
import type { ExportFormat } from "@/shared/ui/ExportButton";

export const BILL_FILTERS = ["status", "customerId", "companyId", "from", "to"] as const;
export type BillFilter = (typeof BILL_FILTERS)[number];

export function useBills(query: TableQuery<BillFilter>) {
  const key = keys.deliveries(query.server);
  return useCursorList<Delivery>(key, query, (page) =>
    callWithHeaders(
      api.GET("/api/deliveries/search", {
        params: { query: { ...query.server, ...page } as never },
      }),
    ),
  );
}

/** What all bills of the list come to, not only those that are shown; a row for each currency. */
export function useBillTotals({ server }: TableQuery<BillFilter>) {
  const { ordering: _, ...filters } = server;
  const key = keys.deliveryTotals(filters);
  return useSWR<DeliveryTotals[], ApiError>(
    key,
    () =>
      call(
        api.GET("/api/deliveries/totals", {
          params: { query: filters as never },
        }),
      ),
    { keepPreviousData: true },
  );
}

/** Every bill that the filters let through, as a file. */
export function exportBills(query: TableQuery<BillFilter>, format: ExportFormat) {
  return api.GET("/api/deliveries/search", {
    params: { query: { ...query.server, format } as never },
    parseAs: "blob",
  });
}

export function loadBill(billId: number): Promise<Delivery> {
  const path = { delivery_id: billId };
  return call(api.GET("/api/deliveries/{delivery_id}", { params: { path } }));
}

export function useBill(billId: number) {
  const key = keys.delivery(billId);
  return useSWR<Delivery, ApiError>(key, () => loadBill(billId));
}

/** The customer's finished lines with pieces left to bill. */
export function useBillable(
  customerId: number,
  search: string,
  pages: Pick<TableQuery, "show" | "more">,
) {
  const query = { customerId, ...(search === "" ? {} : { search }) };
  const key = keys.billable(query);
  return useCursorList<BillableLine>(key, pages, (page) =>
    callWithHeaders(
      api.GET("/api/deliveries/billable", {
        params: { query: { ...query, ...page } as never },
      }),
    ),
  );
}

/** What a new bill of the customer begins in. */
export function loadCurrencies(customerId: number): Promise<DeliveryCurrencies> {
  return call(api.GET("/api/deliveries/currencies", { params: { query: { customerId } } }));
}

/** The bill or the pre-bill as PDF, in the person's language. Throws ApiError. */
export function fetchPdf(billId: number): Promise<ServedFile> {
  return fetchFile(
    api.POST("/pdf/create-delivery", {
      body: { deliveryId: billId, language: readLanguage() },
      headers: QUIET,
      parseAs: "blob",
    }),
    `bill-${billId}.pdf`,
  );
}
