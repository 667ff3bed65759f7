/** The lines that a bill can hold, in the order they are drawn. */
import type { BillableLine } from "@/contract";
import { lineKey, ticked, type LineValues } from "./values";

export interface Row {
  key: string;
  /** What a tick puts on the bill. */
  line: LineValues;
  thumbnail: string | null;
  deliveryDate: string | null;
  /** Pieces left to bill now; nothing once somebody else has billed them, or the line is no longer finished. */
  remaining: number;
}

/**
 * What can be billed; before it, what stands on the bill and is not among that: a search or a page hides it, or nothing
 * of it is left. `whole`: `billable` is all that the customer has. `currency` is the bill's.
 */
export function rowsOf(
  onBill: readonly LineValues[],
  billable: readonly BillableLine[],
  whole: boolean,
  currency: string,
): Row[] {
  const offered = new Set(billable.map(lineKey));
  const hidden = onBill
    .filter((line) => !offered.has(lineKey(line)))
    .map((line) => ({
      key: lineKey(line),
      line,
      thumbnail: null,
      deliveryDate: null,
      remaining: whole ? 0 : line.remaining,
    }));
  const listed = billable.map((line) => ({
    key: lineKey(line),
    line: ticked(line, currency),
    thumbnail: line.thumbnail,
    deliveryDate: line.deliveryDate,
    remaining: line.remaining,
  }));
  return [...hidden, ...listed];
}
