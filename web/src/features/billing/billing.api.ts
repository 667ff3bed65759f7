/** Hooks and calls for bills and billable lines. */
import type {
  Certificate,
  Cfdi,
  CfdiCanceledIn,
  CertificateIn,
  Delivery,
  DeliveryChange,
  DeliveryCurrencies,
  DeliveryExportIn,
  DeliveryIn,
  SettlementIn,
  Settlements,
} from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { api, call, QUIET } from "@/shared/http/client";
import { load, useAnswer, useList, type Shown } from "@/shared/http/data";
import { fetchFile, type ServedFile } from "@/shared/http/download";
import { ADDRESSES, BILL, BILLABLE, CFDI, ORIGIN, SETTLEMENTS } from "@/shared/http/keys";
import { readLanguage } from "@/shared/language";

export const BILL_FILTERS = ["status", "customerId", "companyId", "from", "to"] as const;
export type BillFilter = (typeof BILL_FILTERS)[number];

/** Sums of all bills that match the filters, not only those shown: a row for each currency. */
export function useBillTotals({ server }: TableQuery<BillFilter>) {
  const { ordering: _, ...query } = server;
  return useAnswer("/api/deliveries/totals", { query }, { keepPreviousData: true });
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

/** Load the currencies for a new bill: the customer's, and the one of their last bill. */
export function loadCurrencies(customerId: number): Promise<DeliveryCurrencies> {
  return load("/api/deliveries/currencies", { query: { customerId } });
}

/** Load the bill or pre-bill as PDF, in the user's language. Throws ApiError. */
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

export type ExportPaper = "packing-list" | "commercial-invoice" | "certificate-of-origin";

/**
 * Load a paper of a bill for customs as PDF, with the user's language first. Throws ApiError.
 */
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

/** What the bill certifies about the origin of its goods; asks nothing while `asked` is false. */
export function useOrigin(billId: number, asked: boolean) {
  return useAnswer(ORIGIN, asked ? billAt(billId) : null, { quiet: true });
}

/** The electronic invoice of the bill, and what it lacks. */
export function useCfdi(billId: number) {
  return useAnswer(CFDI, billAt(billId), { quiet: true });
}

/** A paper of a bill: its invoice, or the paper of one of its payments or credit notes. */
export interface Paper {
  billId: number;
  settlementId?: number | undefined;
}

const paperAt = ({ billId, settlementId }: Paper) => ({
  params: { ...billAt(billId), query: settlementId === undefined ? {} : { settlementId } },
});

/** What is owed for the bill, with its payments and credit notes; asks nothing while `asked` is false. */
export function useSettlements(billId: number, asked: boolean) {
  return useAnswer(SETTLEMENTS, asked ? billAt(billId) : null, { quiet: true });
}

/** Note a payment or a credit note. Throws ApiError: 422 `above_balance`. */
export function settleBill(
  headers: Headers,
  billId: number,
  body: SettlementIn,
): Promise<Settlements> {
  return call(api.POST(SETTLEMENTS, { params: billAt(billId), body, headers }));
}

/** Take back the last payment or credit note of a bill. Throws ApiError. */
export async function unsettleBill(billId: number, settlementId: number): Promise<void> {
  await call(
    api.DELETE("/api/deliveries/{delivery_id}/settlements/{settlement_id}", {
      params: { path: { delivery_id: billId, settlement_id: settlementId } },
    }),
  );
}

/** Seal a paper of a bill. Throws ApiError. */
export function sealCfdi(paper: Paper): Promise<Cfdi> {
  return call(api.POST("/pdf/cfdi/{delivery_id}/seal", paperAt(paper)));
}

/** Take back the seal of a paper that was never stamped. Throws ApiError. */
export async function dropSeal(paper: Paper): Promise<void> {
  await call(api.DELETE("/pdf/cfdi/{delivery_id}/seal", paperAt(paper)));
}

/** Store the stamped paper that a PAC returned. Throws ApiError. */
export function stampCfdi(paper: Paper, xml: string): Promise<Cfdi> {
  return call(api.POST("/pdf/cfdi/{delivery_id}/stamped", { ...paperAt(paper), body: { xml } }));
}

/** Note that a stamped paper was canceled at the SAT. Throws ApiError. */
export async function cancelCfdi(
  headers: Headers,
  paper: Paper,
  body: CfdiCanceledIn,
): Promise<void> {
  await call(api.POST("/pdf/cfdi/{delivery_id}/canceled", { ...paperAt(paper), body, headers }));
}

/** Let the PAC stamp a sealed paper. Throws ApiError: 503 `pac_unavailable`, 422 `pac_refused`. */
export function stampAtPac(paper: Paper): Promise<Cfdi> {
  return call(api.POST("/pdf/cfdi/{delivery_id}/stamp", paperAt(paper)));
}

/** Ask the SAT through the PAC to cancel a stamped paper. Throws ApiError. */
export async function cancelAtSat(
  headers: Headers,
  paper: Paper,
  body: CfdiCanceledIn,
): Promise<void> {
  await call(api.POST("/pdf/cfdi/{delivery_id}/cancel", { ...paperAt(paper), body, headers }));
}

/** Ask the SAT how the cancellation of a paper stands. Resolves to the paper as it is then. Throws ApiError. */
export async function askCancellation(paper: Paper): Promise<Cfdi> {
  await call(api.POST("/pdf/cfdi/{delivery_id}/status", paperAt(paper)));
  return load(CFDI, paperAt(paper).params);
}

/**
 * Load the XML of a paper: stamped, sealed, or without a seal; or the printed form of a stamped one. Throws ApiError.
 */
export function fetchCfdi(
  { billId, settlementId }: Paper,
  format: "xml" | "pdf",
): Promise<ServedFile> {
  return fetchFile(
    api.POST("/pdf/create-cfdi", {
      body: { deliveryId: billId, ...(settlementId === undefined ? {} : { settlementId }), format },
      headers: QUIET,
      parseAs: "blob",
    }),
    `cfdi-${billId}.${format}`,
  );
}

/** Certify the origin of a customer's goods for a period. Throws ApiError. */
export function createCertificate(headers: Headers, body: CertificateIn): Promise<Certificate> {
  return call(api.POST("/api/deliveries/certificates", { body, headers }));
}

/** Load a certificate of origin for a period as PDF. Throws ApiError. */
export function fetchCertificate(certificateId: number): Promise<ServedFile> {
  return fetchFile(
    api.POST("/pdf/create-certificate", {
      body: { certificateId, language: readLanguage() },
      headers: QUIET,
      parseAs: "blob",
    }),
    `certificate-${certificateId}.pdf`,
  );
}

/**
 * Whether the customer and the company have the commercial addresses that a bill needs. Sends no
 * request if `asked` is false.
 */
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

/**
 * Change a pre-bill; `preBill: false` issues it. Throws ApiError: 412 `stale_version` if it changed
 * since it was loaded.
 */
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

/**
 * Save the numbers of a bill, even after it was issued. Throws ApiError: 412 `stale_version` if it
 * changed since it was loaded.
 */
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

/**
 * Save the export data of a bill. Throws ApiError: 412 `stale_version` if it changed since it was
 * loaded.
 */
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

/** Cancel a bill. Its pieces can be billed again; the canceled bill remains. */
export function cancelBill(headers: Headers, { id, version }: BillRef): Promise<Delivery> {
  return call(
    api.DELETE("/api/deliveries/{delivery_id}", {
      params: { path: { delivery_id: id } },
      headers: { ...headers, "If-Match": `"${version}"` },
    }),
  );
}
