/**
 * Distinguish this screen's own changes from those of other users, and of the same user on other
 * screens.
 */
import type { Line, LineEvent, LiveEvent } from "@/contract";

type Place = Pick<Line, "salesOrderId" | "position">;

const underWay = new Map<string, number>();
const made = new Map<string, Set<number>>();

const nameOf = ({ salesOrderId, position }: Place) => `${salesOrderId}/${position}`;

/** Mark the change that `work` makes to the line as this screen's own. */
export async function markOwnWrite(place: Place, work: Promise<Line>): Promise<Line> {
  const name = nameOf(place);
  underWay.set(name, (underWay.get(name) ?? 0) + 1);
  try {
    const line = await work;
    made.set(name, (made.get(name) ?? new Set()).add(line.version));
    return line;
  } finally {
    underWay.set(name, (underWay.get(name) ?? 1) - 1);
  }
}

/** Whether this screen caused the event. The event may arrive before the answer to the write. */
export function isOwnChange(event: LiveEvent, userId: number): boolean {
  if (event.by?.id !== userId) return false;
  // Only changes of lines are distinguished from those of the user's other screens.
  if (!("line" in event.data)) return true;
  const { line } = event.data as LineEvent["data"];
  const name = nameOf(line);
  return (underWay.get(name) ?? 0) > 0 || made.get(name)?.has(line.version) === true;
}
