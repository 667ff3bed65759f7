/** Whole days that pieces have been in a process. */
import type { ProcessPieces } from "../line/pieces";

const DAY = 86_400_000;

/** By the oldest entry that is still open; null where nothing is inside. */
export function daysInside(processes: readonly ProcessPieces[], now: number): number | null {
  const since = processes.flatMap(({ since: entry }) => entry ?? []).toSorted()[0];
  return since === undefined ? null : Math.max(0, Math.floor((now - Date.parse(since)) / DAY));
}
