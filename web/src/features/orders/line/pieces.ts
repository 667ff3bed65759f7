/** Count a line's pieces in each process. */
import type { Line, ProcessRef } from "@/contract";
import { mayEnter } from "@/live/mask";

type Inside = Pick<ProcessRef, "productionProcessId">;

export interface ProcessPieces {
  productionProcessId: number;
  /** Empty if only the pieces inside name the process. */
  productionProcessName: string;
  inside: number;
  /** Time of the oldest open entry, and who brought it in if the user may know. */
  since: string | null;
  by: string | null;
  /** Pieces that have left the process, without scrap; 0 if the user may not read the history. */
  completed: number;
}

/**
 * Return the processes that the line has been in, in the order of their first entry. Released
 * records do not count.
 *
 * Without a history, as in a list, return the processes with pieces inside.
 */
export function piecesByProcess({
  inside,
  productionProcesses = [],
}: Pick<Line, "inside"> & Partial<Pick<Line, "productionProcesses">>): ProcessPieces[] {
  const found = new Map<number, ProcessPieces>();
  function piecesOf(process: Partial<ProcessRef> & Inside): ProcessPieces {
    const { productionProcessId, productionProcessName = "" } = process;
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
    const isDone = record.outputDate !== null && record.scrapReason === null;
    if (isDone) pieces.completed += record.quantity;
  }
  for (const entry of inside) {
    const pieces = piecesOf(entry);
    pieces.inside += entry.quantity;
    pieces.since ??= entry.since;
    pieces.by ??= entry.by || null;
  }
  return [...found.values()];
}

/** Whether the user may say that the line is done, and all its good pieces have been through its processes. */
export function mayFinish({ standing, actions }: Pick<Line, "standing" | "actions">): boolean {
  const isThrough = standing.kind === "waiting" && standing.nextProcesses?.length === 0;
  return isThrough && actions.statuses.includes("Done");
}

/** How many scrapped pieces the user may have made again: none once a piece is billed. */
export function piecesToReplace(line: Line): number {
  const { actions, quantityScrapped, quantityReplaced, quantityBilled } = line;
  return actions.edit && quantityBilled === 0 ? quantityScrapped - quantityReplaced : 0;
}

export type Chip = { kind: "out" | "in"; process: string } | { kind: "none" };

type Moved = Pick<Line, "status" | "currentProductionProcess" | "lastProductionProcess" | "offers">;

/**
 * Choose the chip: 'Out of …' while a process is open, 'Enter to …' once the last one is closed and while pieces may
 * enter it; null if nothing is next. See infra/docs/rules.md#screens.
 */
export function processChip(line: Moved): Chip | null {
  const { currentProductionProcess: current, lastProductionProcess: last } = line;
  if (current !== null) return { kind: "out", process: current.productionProcessName };
  if (isFinished(line)) return null;
  if (last === null) return { kind: "none" };
  if (mayEnter(line.offers, last.productionProcessId) === 0) return null;
  return { kind: "in", process: last.productionProcessName };
}

const FINISHED: readonly string[] = ["Done", "Invoiced", "Canceled"];

export const isFinished = ({ status }: Pick<Line, "status">) => FINISHED.includes(status);
