/**
 * Send one change of a bill. Reloads the lists, keeps a refusal for display, and reloads the bill
 * after a conflict.
 */
import { useCallback, useState } from "react";
import type { Delivery } from "@/contract";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { ADDRESSES, at, BILL, ofBills, type Covers } from "@/shared/http/keys";
import type { BillRef } from "./billing.api";

/** The cached answers, besides the bill itself, that a change of a bill makes stale. */
export const BILL_LISTS: Covers = (key) => ofBills(key) && key[0] !== BILL;

/** `typed`: what the user adds to the request. */
type Work<A extends unknown[]> = (
  headers: { "Idempotency-Key": string },
  bill: BillRef,
  ...typed: A
) => Promise<Delivery>;

export function useBillAction<A extends unknown[] = []>(work: Work<A>) {
  const { afterWrite, reload } = useAnswers();
  const { submit, busy } = useSubmit(work);
  const [refusal, setRefusal] = useState<ApiError | null>(null);

  /** Return the changed bill, or undefined if it was refused. */
  async function act({ id, version }: Delivery, ...typed: A): Promise<Delivery | undefined> {
    setRefusal(null);
    try {
      const changed = await submit({ id, version }, ...typed);
      if (changed !== undefined) afterWrite(BILL_LISTS);
      return changed;
    } catch (reason) {
      const error = asApiError(reason);
      setRefusal(error);
      if (error.isConflict) void reload(at(BILL, { delivery_id: id }));
      if (error.code === "commercial_address_required") void reload(at(ADDRESSES));
      return undefined;
    }
  }

  const forget = useCallback(() => setRefusal(null), []);
  return { act, busy, refusal, forget };
}
