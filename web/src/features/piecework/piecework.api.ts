/**
 * Hooks and calls for piecework: records left to pay, and payments. See
 * infra/docs/rules.md#piecework.
 */
import type { Owed, Payable, Payment, PaymentIn, PeopleIn } from "@/contract";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { api, call, QUIET } from "@/shared/http/client";
import {
  load,
  loadRows,
  loadWithHeaders,
  useAnswer,
  useAnswers,
  useList,
  type List,
} from "@/shared/http/data";
import { fetchFile, listAsFile, type ServedFile } from "@/shared/http/download";
import { at, OWED, PAYABLES, PAYMENT, PAYMENTS, under } from "@/shared/http/keys";
import { getSession } from "@/shared/session/session";
import type { ExportFormat } from "@/shared/ui/ExportButton";
import type { Days } from "./people/period";

type Headers = { "Idempotency-Key": string };

export const PAYABLE_FILTERS = [
  "productionProcessId",
  "userId",
  "customerId",
  "from",
  "to",
] as const;
export type PayableFilter = (typeof PAYABLE_FILTERS)[number];

export const PAYMENT_FILTERS = ["status", "userId", "customerId", "from", "to"] as const;
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number];

const leftToPay = (query: TableQuery<PayableFilter>) => ({ ...query.server, pending: "true" });

/** Records left to pay, those that waited longest first. */
export function usePayables(query: TableQuery<PayableFilter>) {
  return useList(PAYABLES, { query: leftToPay(query) }, query);
}

/** Everyone who is owed something, and how much of it is from `days`. */
export function useOwed(days: Days) {
  return useAnswer(OWED, { query: days }, { keepPreviousData: true });
}

/** Throws ApiError. */
export const loadOwed = (days: Days): Promise<Owed[]> => load(OWED, { query: days });

/** Most records in one payment. */
export const MOST_ITEMS = 1_000;

/**
 * Load what is left to pay to one person for some days, oldest first, up to the most that one
 * payment takes. Throws ApiError.
 */
export function loadPayablesOf(userId: number, days: Days): Promise<List<Payable>> {
  const query = { ...days, userId, pending: true };
  return loadRows(MOST_ITEMS, (page) =>
    loadWithHeaders(PAYABLES, { query: { ...query, ...page } }),
  );
}

export function exportPayables(query: TableQuery<PayableFilter>, format: ExportFormat) {
  return listAsFile(PAYABLES, leftToPay(query), format);
}

/** Totals of all payments that match, not only those shown. */
export function usePaymentTotals({ server }: TableQuery<PaymentFilter>) {
  const { ordering: _, ...query } = server;
  return useAnswer(`${PAYMENTS}/totals`, { query }, { keepPreviousData: true });
}

export function pay(headers: Headers, body: PaymentIn): Promise<Payment> {
  return call(api.POST(PAYMENTS, { body, headers }));
}

const FOR_PEOPLE = `${PAYMENTS}/people` as const;

/**
 * Pay people all that they are owed for some days. Either all of them are paid or none. Throws
 * ApiError: 409 `owed_changed` if the amount of one has changed.
 */
export function payPeople(headers: Headers, body: PeopleIn): Promise<{ id: number }[]> {
  return call(api.POST(FOR_PEOPLE, { body, headers }));
}

/** Load the pay slips as one PDF, each in its payee's language. Throws ApiError. */
export function fetchReceipts(paymentIds: number[]): Promise<ServedFile> {
  return fetchFile(
    api.POST("/pdf/create-receipts", {
      body: { paymentIds },
      headers: QUIET,
      parseAs: "blob",
    }),
    `payment-${paymentIds.join("-")}.pdf`,
  );
}

export function cancelPayment(headers: Headers, id: number, notes: string): Promise<Payment> {
  const params = { path: { payment_id: id } };
  return call(api.PUT(`${PAYMENT}/cancel`, { params, body: { notes }, headers }));
}

/**
 * Return a function that reloads what is paid and what is left. It does nothing after the session
 * ended, because the loaded data is gone too.
 */
export function useReloadPayments(): () => void {
  const { reload } = useAnswers();
  return () => {
    if (getSession() === null) return;
    void reload((key) => at(PAYABLES)(key) || at(OWED)(key) || under(PAYMENTS)(key));
  };
}
