/** What may be done to all chosen lines at once. */
import type { LineRow, LineStatus } from "@/contract";
import { isToBill } from "../isToBill";

export const lineKey = ({ salesOrderId, position }: Pick<LineRow, "salesOrderId" | "position">) =>
  `${salesOrderId}-${position}`;

/** Those of the selected lines that the server offers this status. */
export function offeredTo(lines: readonly LineRow[], status: LineStatus): LineRow[] {
  return lines.filter(({ actions }) => actions.statuses.includes(status));
}

/** The selected lines of which something can be billed, and for how many customers: a bill is one customer's. */
export function readyToBill(lines: readonly LineRow[]): { ready: LineRow[]; customers: number } {
  const ready = lines.filter(isToBill);
  return { ready, customers: new Set(ready.map(({ customerId }) => customerId)).size };
}

export interface Outcome {
  done: number;
  /** What was refused, in the server's words, by how many lines. */
  refused: { message: string; count: number }[];
  /** The lines that were refused. */
  left: LineRow[];
}

/** One after the other, so that lines of one order do not wait for each other's lock; a refusal stops none. `onDone` is called with how many were tried. */
export async function forEachLine(
  lines: readonly LineRow[],
  work: (line: LineRow) => Promise<unknown>,
  messageOf: (reason: unknown) => string,
  onDone: (count: number) => void = () => undefined,
): Promise<Outcome> {
  let done = 0;
  const left: LineRow[] = [];
  const refused = new Map<string, number>();
  for (const line of lines) {
    try {
      // oxlint-disable-next-line no-await-in-loop
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
