/**
 * Start a new bill with lines that the page's address names. `?customerId=7` adds all billable
 * lines of the customer, `&salesOrderId=12` only those of one order, `&lines=12-1,12-3` only the
 * named lines.
 */
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";
import type { BillableLine } from "@/contract";
import { loadRows, loadWithHeaders } from "@/shared/http/data";
import { BILLABLE } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { MOST_AT_ONCE } from "./LinePicker";
import { lineKey } from "./values";

const MOST_READY = 2_000;

/**
 * Load the lines and pass them to `bring`. Keeps what the user typed in other fields.
 *
 * `wanted`: the form is new, and no customer is chosen yet.
 */
export function useLinesOfAddress(
  wanted: boolean,
  bring: (lines: readonly BillableLine[]) => Promise<void>,
): void {
  const [params] = useSearchParams();
  const customerId = Number(params.get("customerId")) || null;
  const order = params.get("salesOrderId");
  const named = params.get("lines")?.split(",");
  const take = useEffectEvent(async (ready: BillableLine[]) => {
    // Keep what the user chose in the meantime.
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
        // Named lines can be anywhere in the list, so load more of it.
        const { rows } = await loadRows(named === undefined ? MOST_AT_ONCE : MOST_READY, (page) =>
          loadWithHeaders(BILLABLE, { query: { customerId, ...page } }),
        );
        if (!left) await take(rows);
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
