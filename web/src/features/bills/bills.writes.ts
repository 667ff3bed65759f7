/** What a person can do to bills. Every write carries the idempotency key that `useSubmit` gives. */
import type { Delivery, DeliveryChange, DeliveryIn } from "@/contract";
import { api, call } from "@/shared/http/client";

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

/** Its quantities return; the row stays, canceled. */
export function cancelBill(headers: Headers, { id, version }: BillRef): Promise<Delivery> {
  return call(
    api.DELETE("/api/deliveries/{delivery_id}", {
      params: { path: { delivery_id: id } },
      headers: { ...headers, "If-Match": `"${version}"` },
    }),
  );
}
