/** Which lines are selected, and what may be done to all of them at once. */
import type { Line, LineStatus } from "@/contract";

export const lineKey = ({ salesOrderId, position }: Pick<Line, "salesOrderId" | "position">) =>
  `${salesOrderId}-${position}`;

/** Those of the selected lines that the server offers this status. */
export function offeredTo(lines: readonly Line[], status: LineStatus): Line[] {
  return lines.filter(({ actions }) => actions.statuses.includes(status));
}

export interface Outcome {
  done: number;
  /** What was refused, in the server's words, by how many lines. */
  refused: { message: string; count: number }[];
}

/** One after the other, so that lines of one order do not wait for each other's lock; a refusal stops none. */
export async function forEachLine(
  lines: readonly Line[],
  work: (line: Line) => Promise<unknown>,
  messageOf: (reason: unknown) => string,
): Promise<Outcome> {
  let done = 0;
  const refused = new Map<string, number>();
  for (const line of lines) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      await work(line);
      done += 1;
    } catch (reason) {
      const message = messageOf(reason);
      refused.set(message, (refused.get(message) ?? 0) + 1);
    }
  }
  return { done, refused: [...refused].map(([message, count]) => ({ message, count })) };
}
