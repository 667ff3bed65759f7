/**
 * A new bill that another page asked for: `?customerId=7` brings all that is ready of the customer, with
 * `&salesOrderId=12` that of one order, with `&lines=12-1,12-3` the lines named.
 */
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";
import type { BillableLine } from "@/contract";
import { load } from "@/shared/http/data";
import { BILLABLE } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { MOST_AT_ONCE } from "./LinePicker";
import { lineKey } from "./values";

/** `wanted`: nothing is typed yet. */
export function useLinesOfAddress(
  wanted: boolean,
  bring: (lines: readonly BillableLine[]) => Promise<void>,
): void {
  const [params] = useSearchParams();
  const customerId = Number(params.get("customerId")) || null;
  const order = params.get("salesOrderId");
  const named = params.get("lines")?.split(",");
  const take = useEffectEvent(async (ready: BillableLine[]) => {
    // Whoever typed meanwhile keeps that.
    if (!wanted) return;
    const meant = ready.filter(
      (line) =>
        (order === null || String(line.salesOrderId) === order) &&
        (named === undefined || named.includes(lineKey(line))),
    );
    await bring(meant);
  });
  useEffect(() => {
    if (!wanted || customerId === null) return undefined;
    let left = false;
    const fetchLines = async () => {
      try {
        const ready = await load(BILLABLE, { query: { customerId, limit: MOST_AT_ONCE } });
        if (!left) await take(ready);
      } catch (reason) {
        if (!left) toastError(reason);
      }
    };
    void fetchLines();
    return () => {
      left = true;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for the address the page was opened with
  }, [customerId]);
}
