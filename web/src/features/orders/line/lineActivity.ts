/** What last happened to a line, from an event or from its records. */
import type { Line, LineEvent, LineStatus, ProcessRecord } from "@/contract";

export type LineActivity = { who: string | null; at: string } & (
  | { kind: "in" | "out" | "release" | "undo"; process: string; pieces: number }
  | { kind: "status"; status: LineStatus }
  | { kind: "change" }
);

/** What an event tells, in the words of its newest record. */
export function activityOf({ type, at, by, data }: LineEvent): LineActivity {
  const told = { who: by?.fullName ?? null, at };
  if (type === "line.status-changed") {
    return { ...told, kind: "status", status: data.status as LineStatus };
  }
  if (type === "line.changed" || data.record === null) return { ...told, kind: "change" };
  const { record } = data;
  const process = record.productionProcessName;
  if (type === "line.released") {
    return {
      ...told,
      kind: isUndone(record) ? "undo" : "release",
      process,
      pieces: record.quantity,
    };
  }
  const kind = record.outputDate === null ? "in" : "out";
  const moment = kind === "in" ? record.inputDate : record.outputDate;
  const together = data.records.filter(
    (each) =>
      each.productionProcessId === record.productionProcessId &&
      (kind === "in" ? each.inputDate : each.outputDate) === moment,
  );
  const pieces = together.reduce((sum, { quantity }) => sum + quantity, 0) || record.quantity;
  return { ...told, kind, process, pieces };
}

/** Whether what was just taken back of a record was undone by the person himself. */
function isUndone({ deletedDate, undone, releasedExits }: ProcessRecord): boolean {
  return deletedDate === null ? releasedExits.at(-1)?.undone === true : undone;
}

/** The newest movement in the line's records; null where it has none. */
export function lastActivity({
  productionProcesses,
}: Pick<Line, "productionProcesses">): LineActivity | null {
  const all = productionProcesses.flatMap(happenings);
  return all.toSorted((one, other) => other.at.localeCompare(one.at))[0] ?? null;
}

function happenings(record: ProcessRecord): LineActivity[] {
  const { productionProcessName: process, quantity: pieces } = record;
  const found: LineActivity[] = [
    { kind: "in", who: record.inputUsername, at: record.inputDate, process, pieces },
  ];
  if (record.outputDate !== null) {
    found.push({ kind: "out", who: record.outputUsername, at: record.outputDate, process, pieces });
  }
  if (record.deletedDate !== null) {
    found.push({
      kind: record.undone ? "undo" : "release",
      who: record.releasedBy,
      at: record.deletedDate,
      process,
      pieces,
    });
  }
  for (const { releasedBy, releasedDate, undone } of record.releasedExits) {
    const kind = undone === true ? "undo" : "release";
    found.push({ kind, who: releasedBy, at: releasedDate, process, pieces });
  }
  return found;
}
