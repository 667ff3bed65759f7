/** What may still be undone of a line: the server's offers whose time has not run out. */
import type { Line } from "@/contract";

export type UndoOffer = Line["actions"]["undo"][number];

export function stillUndoable({ actions }: Pick<Line, "actions">, now: number): UndoOffer[] {
  return actions.undo.filter(({ until }) => Date.parse(until) > now);
}
