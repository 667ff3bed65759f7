/** What left a process and its payments, as hooks and calls. Contract, section 5. */
import useSWR, { useSWRConfig } from "swr";
import type { Payable, Payment, PaymentIn, PaymentTotals } from "@/contract";
import { useCursorList } from "@/shared/hooks/useCursorList";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders } from "@/shared/http/client";
import { keys } from "@/shared/keys";
import { getSession } from "@/shared/session/session";
import type { ExportFormat } from "@/shared/ui/ExportButton";

type Headers = { "Idempotency-Key": string };

const PAYABLES = "/api/sales-order/positions/production-processes";
const PAYMENTS = "/api/sales-order/positions/production-processes/payments";

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

/** What is left to pay; what has waited longest first. */
export function usePayables(query: TableQuery<PayableFilter>) {
  const key = keys.payables(query.server);
  return useCursorList<Payable>(key, query, (page) =>
    callWithHeaders(
      api.GET(PAYABLES, {
        params: { query: { ...leftToPay(query), ...page } as never },
      }),
    ),
  );
}

export function exportPayables(query: TableQuery<PayableFilter>, format: ExportFormat) {
  const asked = { ...leftToPay(query), format };
  return api.GET(PAYABLES, { params: { query: asked as never }, parseAs: "blob" });
}

/** Payments, the latest first. */
export function usePayments(query: TableQuery<PaymentFilter>) {
  const key = keys.payments(query.server);
  return useCursorList<Payment>(key, query, (page) =>
    callWithHeaders(
      api.GET(PAYMENTS, {
        params: { query: { ...query.server, ...page } as never },
      }),
    ),
  );
}

export function exportPayments(query: TableQuery<PaymentFilter>, format: ExportFormat) {
  const asked = { ...query.server, format };
  return api.GET(PAYMENTS, { params: { query: asked as never }, parseAs: "blob" });
}

/** What all payments of the list come to, not only those that are shown. */
export function usePaymentTotals({ server }: TableQuery<PaymentFilter>) {
  const { ordering: _, ...filters } = server;
  const key = keys.paymentTotals(filters);
  return useSWR<PaymentTotals, ApiError>(
    key,
    () =>
      call(
        api.GET(`${PAYMENTS}/totals`, {
          params: { query: filters as never },
        }),
      ),
    { keepPreviousData: true },
  );
}

export function usePayment(id: number | null) {
  const key = id === null ? null : keys.payment(id);
  return useSWR<Payment, ApiError>(key, () =>
    call(
      api.GET(`${PAYMENTS}/{payment_id}`, {
        params: { path: { payment_id: id as number } },
      }),
    ),
  );
}

export function pay(headers: Headers, body: PaymentIn): Promise<Payment> {
  return call(api.POST(PAYMENTS, { body, headers }));
}

export function cancelPayment(headers: Headers, id: number, notes: string): Promise<Payment> {
  const params = { path: { payment_id: id } };
  return call(api.PUT(`${PAYMENTS}/{payment_id}/cancel`, { params, body: { notes }, headers }));
}

/** Asks again what is paid and what is left. With the session, what was loaded is gone as well. */
export function useReloadPayments(): () => void {
  const { mutate } = useSWRConfig();
  return () => {
    if (getSession() === null) return;
    void mutate((key) => Array.isArray(key) && (key[0] === "payables" || key[0] === "payments"));
  };
}
