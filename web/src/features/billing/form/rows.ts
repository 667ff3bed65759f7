/** Rows of the line picker, in display order. */
import type { BillableLine } from "@/contract";
import { lineKey, ticked, type LineValues } from "./values";

export interface Row {
  key: string;
  /** The values that a tick puts on the bill. */
  line: LineValues;
  thumbnail: string | null;
  deliveryDate: string | null;
  /** Pieces left to bill now; 0 if others billed them or the line is no longer finished. */
  remaining: number;
}

/**
 * Return the lines on the bill that the list lacks, then the billable lines. The list lacks a line
 * if a search or a page hides it, or if it has no pieces left.
 *
 * `whole`: `billable` contains all lines of the customer. `currency`: the bill's.
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
