/** Sends one change of a bill; a refusal is kept to be shown, and after a lost race the newest bill stands on screen. */
import { useState } from "react";
import type { Delivery } from "@/contract";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { at, BILL } from "@/shared/http/keys";
import type { BillRef } from "./bills.writes";
import { useTakeBill } from "./useTakeBill";

/** `typed` is what a person adds to it. */
type Work<A extends unknown[]> = (
  headers: { "Idempotency-Key": string },
  bill: BillRef,
  ...typed: A
) => Promise<Delivery>;

export function useBillAction<A extends unknown[] = []>(work: Work<A>) {
  const take = useTakeBill();
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit(work);
  const [refusal, setRefusal] = useState<ApiError | null>(null);

  /** The changed bill, or undefined where it was refused. */
  async function act({ id, version }: Delivery, ...typed: A): Promise<Delivery | undefined> {
    setRefusal(null);
    try {
      const changed = await submit({ id, version }, ...typed);
      if (changed !== undefined) await take(changed);
      return changed;
    } catch (reason) {
      const error = asApiError(reason);
      setRefusal(error);
      if (error.isConflict) void reload(at(BILL, { delivery_id: id }));
      return undefined;
    }
  }

  return { act, busy, refusal };
}
