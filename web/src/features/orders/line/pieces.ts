/** Where a line's pieces are, process by process. */
import type { Line, ProcessRef } from "@/contract";

export interface ProcessPieces {
  productionProcessId: number;
  productionProcessName: string;
  inside: number;
  /** Since when, and who brought them in where the person may know: the oldest entry that is still open. */
  since: string | null;
  by: string | null;
  /** As the history tells; 0 for who may not read it. */
  completed: number;
}

/**
 * Each process the line has been in, in the order it was first entered; released records do not count. Without a
 * history, as in a list, the processes that it is in.
 */
export function piecesByProcess({
  inside,
  productionProcesses = [],
}: Pick<Line, "inside"> & Partial<Pick<Line, "productionProcesses">>): ProcessPieces[] {
  const found = new Map<number, ProcessPieces>();
  function piecesOf(process: ProcessRef): ProcessPieces {
    const { productionProcessId, productionProcessName } = process;
    const pieces = found.get(productionProcessId) ?? {
      productionProcessId,
      productionProcessName,
      inside: 0,
      since: null,
      by: null,
      completed: 0,
    };
    found.set(productionProcessId, pieces);
    return pieces;
  }

  const standing = productionProcesses
    .filter((record) => record.deletedDate === null)
    .toSorted((one, other) => one.inputDate.localeCompare(other.inputDate) || one.id - other.id);
  for (const record of standing) {
    const pieces = piecesOf(record);
    if (record.outputDate !== null) pieces.completed += record.quantity;
  }
  for (const entry of inside) {
    const pieces = piecesOf(entry);
    pieces.inside += entry.quantity;
    pieces.since ??= entry.since;
    pieces.by ??= entry.by || null;
  }
  return [...found.values()];
}

export type Chip = { kind: "out" | "in"; process: string } | { kind: "none" };

/** 'Out of …' while the last process is open, 'Enter to …' once it is closed. See infra/docs/rules.md#screens. */
export function processChip({
  currentProductionProcess: current,
  lastProductionProcess: last,
}: Pick<Line, "currentProductionProcess" | "lastProductionProcess">): Chip {
  if (current !== null) return { kind: "out", process: current.productionProcessName };
  if (last !== null) return { kind: "in", process: last.productionProcessName };
  return { kind: "none" };
}
