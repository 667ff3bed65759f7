/** Find and change the lines of a selection. */
import type { LineRow, LineStatus } from "@/contract";
import { lineActions } from "@/live/mask";
import { isToBill } from "../isToBill";

export const lineKey = ({ salesOrderId, position }: Pick<LineRow, "salesOrderId" | "position">) =>
  `${salesOrderId}-${position}`;

/** Return the selected lines for which the server offers this status. */
export function offeredTo(lines: readonly LineRow[], status: LineStatus): LineRow[] {
  return lines.filter((line) => lineActions(line).statuses.includes(status));
}

/**
 * Return the selected lines with pieces to bill, and their number of customers: a bill has only
 * one.
 */
export function readyToBill(lines: readonly LineRow[]): { ready: LineRow[]; customers: number } {
  const ready = lines.filter(isToBill);
  return { ready, customers: new Set(ready.map(({ customerId }) => customerId)).size };
}

export interface Outcome<Row = LineRow> {
  done: number;
  /** Number of refused lines by the server's message. */
  refused: { message: string; count: number }[];
  /** The lines that were refused. */
  left: Row[];
}

/**
 * Change the lines one after the other, because lines of one order would wait for each other's
 * lock. Continues after a refusal. `onDone` gets the number of lines tried so far.
 */
export async function forEachLine<Row>(
  lines: readonly Row[],
  work: (line: Row) => Promise<unknown>,
  messageOf: (reason: unknown) => string,
  onDone: (count: number) => void = () => undefined,
): Promise<Outcome<Row>> {
  let done = 0;
  const left: Row[] = [];
  const refused = new Map<string, number>();
  for (const line of lines) {
    try {
      await work(line);
      done += 1;
    } catch (reason) {
      const message = messageOf(reason);
      refused.set(message, (refused.get(message) ?? 0) + 1);
      left.push(line);
    }
    onDone(done + left.length);
  }
  return { done, left, refused: [...refused].map(([message, count]) => ({ message, count })) };
}
