/** Where a line's pieces are, process by process, from its records. */
import type { Line, ProcessRecord } from "@/contract";

export interface ProcessPieces {
  productionProcessId: number;
  productionProcessName: string;
  inside: number;
  /** Since when, and who brought them in: the oldest entry that is still open. */
  since: string | null;
  by: string | null;
  completed: number;
}

const isOpen = (record: ProcessRecord) => record.outputDate === null;

/** Each process the line has been in, in the order it was first entered; released records do not count. */
export function piecesByProcess({
  productionProcesses,
}: Pick<Line, "productionProcesses">): ProcessPieces[] {
  const standing = productionProcesses
    .filter((record) => record.deletedDate === null)
    .toSorted((one, other) => one.inputDate.localeCompare(other.inputDate) || one.id - other.id);
  const found = new Map<number, ProcessPieces>();
  for (const record of standing) {
    const { productionProcessId, productionProcessName } = record;
    const pieces = found.get(productionProcessId) ?? {
      productionProcessId,
      productionProcessName,
      inside: 0,
      since: null,
      by: null,
      completed: 0,
    };
    if (isOpen(record)) {
      pieces.inside += record.quantity;
      pieces.since ??= record.inputDate;
      pieces.by ??= record.inputUsername;
    } else {
      pieces.completed += record.quantity;
    }
    found.set(productionProcessId, pieces);
  }
  return [...found.values()];
}

export type Chip = { kind: "out" | "in"; process: string } | { kind: "none" };

/** 'Out of …' while the last process is open, 'Enter to …' once it is closed. Specification 2, section 2. */
export function processChip({
  currentProductionProcess: current,
  lastProductionProcess: last,
}: Pick<Line, "currentProductionProcess" | "lastProductionProcess">): Chip {
  if (current !== null) return { kind: "out", process: current.productionProcessName };
  if (last !== null) return { kind: "in", process: last.productionProcessName };
  return { kind: "none" };
}
