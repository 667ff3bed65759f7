/** State and sort order of the history's rows. */
import type { ProcessRecord } from "@/contract";

export type RowState = "in-process" | "deleted" | "done";

/**
 * A record is in process if its pieces entered, have not left, and the entry was not taken back.
 */
export function rowState({ outputDate, deletedDate }: ProcessRecord): RowState {
  if (deletedDate !== null) return "deleted";
  return outputDate === null ? "in-process" : "done";
}

/**
 * Sort newest first, as the server does, because a live event may have added a record elsewhere.
 */
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
/**
 * The weight columns. They are shown if the line has weights, or the user may weigh its records.
 */
export const WEIGHTS = ["gramsIn", "gramsOut", "lossGrams"] as const;
export type HistoryColumn = (typeof COLUMNS | typeof WEIGHTS)[number];

/** Whether the metal of the record was weighed. */
export const isWeighed = ({ gramsIn, gramsOut, scrapGrams }: ProcessRecord): boolean =>
  gramsIn !== null || gramsOut !== null || scrapGrams !== null;

/** Whether the record may be weighed, or its weights corrected, by a holder of `ManageMetal`. */
export const isWeighable = ({ weighs, deletedDate }: ProcessRecord): boolean =>
  weighs !== "no" && deletedDate === null;

/**
 * Compare texts by the language's alphabet and numbers by size. Empty values come last in ascending
 * order.
 */
export function compareBy(column: HistoryColumn, language: string) {
  return (one: ProcessRecord, other: ProcessRecord): number => {
    const [left, right] = [one[column], other[column]];
    if (typeof left === "number" && typeof right === "number") return left - right;
    if (!left || !right) return Number(!left) - Number(!right);
    return String(left).localeCompare(String(right), language);
  };
}
