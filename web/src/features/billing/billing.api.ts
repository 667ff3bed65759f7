/** Bills and what can be billed: what is read, as hooks, and what a person can do to them. */
import type {
  Delivery,
  DeliveryChange,
  DeliveryCurrencies,
  DeliveryExportIn,
  DeliveryIn,
} from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { api, call, QUIET } from "@/shared/http/client";
import { load, useAnswer, useList, type Shown } from "@/shared/http/data";
import { fetchFile, listAsFile, type ServedFile } from "@/shared/http/download";
import { ADDRESSES, BILL, BILLABLE } from "@/shared/http/keys";
import { readLanguage } from "@/shared/session/language";
import type { ExportFormat } from "@/shared/ui/ExportButton";

export const BILL_FILTERS = ["status", "customerId", "companyId", "from", "to"] as const;
export type BillFilter = (typeof BILL_FILTERS)[number];

export function useBills(query: TableQuery<BillFilter>) {
  return useList("/api/deliveries/search", { query: query.server }, query);
}

/** What all bills of the list come to, not only those that are shown; a row for each currency. */
export function useBillTotals({ server }: TableQuery<BillFilter>) {
  const { ordering: _, ...query } = server;
  return useAnswer("/api/deliveries/totals", { query }, { keepPreviousData: true });
}

/** Every bill that the filters let through, as a file. */
export function exportBills(query: TableQuery<BillFilter>, format: ExportFormat) {
  return listAsFile("/api/deliveries/search", query.server, format);
}

const billAt = (billId: number) => ({ path: { delivery_id: billId } });

export function loadBill(billId: number): Promise<Delivery> {
  return load(BILL, billAt(billId));
}

export function useBill(billId: number) {
  return useAnswer(BILL, billAt(billId));
}

/** The customer's finished lines with pieces left to bill. */
export function useBillable(customerId: number, search: string, shown: Shown) {
  const query = { customerId, ...(search === "" ? {} : { search }) };
  return useList(BILLABLE, { query }, shown);
}

/** What a new bill of the customer begins in. */
export function loadCurrencies(customerId: number): Promise<DeliveryCurrencies> {
  return load("/api/deliveries/currencies", { query: { customerId } });
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

export type ExportPaper = "packing-list" | "commercial-invoice";

/** A bill's packing list or commercial invoice as PDF, the person's language first. Throws ApiError. */
export function fetchExportPaper(billId: number, paper: ExportPaper): Promise<ServedFile> {
  return fetchFile(
    api.POST("/pdf/create-export", {
      body: { deliveryId: billId, paper, language: readLanguage() },
      headers: QUIET,
      parseAs: "blob",
    }),
    `${paper}-${billId}.pdf`,
  );
}

/** Whether customer and company have the commercial addresses that a bill needs; `asked` false asks nothing. */
export function useAddresses(customerId: number | null, companyId: number | null, asked = true) {
  const query = {
    ...(customerId === null ? {} : { customerId }),
    ...(companyId === null ? {} : { companyId }),
  };
  return useAnswer(ADDRESSES, asked && Object.keys(query).length > 0 ? { query } : null, {
    quiet: true,
  });
}

type Headers = { "Idempotency-Key": string };
export type BillRef = Pick<Delivery, "id" | "version">;

export function createBill(headers: Headers, body: DeliveryIn): Promise<Delivery> {
  return call(api.POST("/api/deliveries", { body, headers }));
}

/** `preBill: false` makes a bill of it. 412 `stale_version` where somebody changed it since it was loaded. */
export function updateBill(
  headers: Headers,
  { id, version }: BillRef,
  body: DeliveryChange,
): Promise<Delivery> {
  return call(
    api.PUT("/api/deliveries/{delivery_id}", {
      params: { path: { delivery_id: id } },
      body,
      headers: { ...headers, "If-Match": `"${version}"` },
    }),
  );
}

export type BillNumbers = Pick<Delivery, "invoiceNumber" | "guideNumber">;

/** Also of a bill that is issued. 412 `stale_version` where somebody changed it since it was loaded. */
export function saveNumbers(
  headers: Headers,
  { id, version }: BillRef,
  body: Partial<BillNumbers>,
): Promise<Delivery> {
  return call(
    api.PUT("/api/deliveries/{delivery_id}", {
      params: { path: { delivery_id: id } },
      body: body as DeliveryChange,
      headers: { ...headers, "If-Match": `"${version}"` },
    }),
  );
}

/** 412 `stale_version` where somebody changed the bill since it was loaded. */
export function saveExport(
  headers: Headers,
  { id, version }: BillRef,
  body: DeliveryExportIn,
): Promise<Delivery> {
  return call(
    api.PUT("/api/deliveries/{delivery_id}/export", {
      params: { path: { delivery_id: id } },
      body,
      headers: { ...headers, "If-Match": `"${version}"` },
    }),
  );
}

/** Its quantities return; the row stays, canceled. */
export function cancelBill(headers: Headers, { id, version }: BillRef): Promise<Delivery> {
  return call(
    api.DELETE("/api/deliveries/{delivery_id}", {
      params: { path: { delivery_id: id } },
      headers: { ...headers, "If-Match": `"${version}"` },
    }),
  );
}
