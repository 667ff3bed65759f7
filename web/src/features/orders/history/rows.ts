/** The history's rows: how each is marked, and how its columns sort. */
import type { ProcessRecord } from "@/contract";

export type RowState = "in-process" | "deleted" | "done";

/** Entered, not left and not taken back: still in process. */
export function rowState({ outputDate, deletedDate }: ProcessRecord): RowState {
  if (deletedDate !== null) return "deleted";
  return outputDate === null ? "in-process" : "done";
}

/** Newest first, as the server sends them; a live event may have put a record elsewhere. */
export function newestFirst(records: readonly ProcessRecord[]): ProcessRecord[] {
  return records.toSorted(
    (one, other) => other.inputDate.localeCompare(one.inputDate) || other.id - one.id,
  );
}

export const COLUMNS = [
  "productionProcessName",
  "quantity",
  "inputDate",
  "inputUsername",
  "inputNotes",
  "outputDate",
  "outputUsername",
  "outputNotes",
  "released",
  "dateOfReprocessing",
] as const;
export type HistoryColumn = (typeof COLUMNS)[number];

/** Texts by the language's alphabet, numbers by size, what is empty last of all when ascending. */
export function compareBy(column: HistoryColumn, language: string) {
  return (one: ProcessRecord, other: ProcessRecord): number => {
    const [left, right] = [one[column], other[column]];
    if (typeof left === "number" && typeof right === "number") return left - right;
    if (!left || !right) return Number(!left) - Number(!right);
    return String(left).localeCompare(String(right), language);
  };
}
