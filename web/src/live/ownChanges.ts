/** Tells the changes this screen made from those of other people, or of the same person elsewhere. */
import type { Line, LineEvent, LiveEvent } from "@/contract";

type Place = Pick<Line, "salesOrderId" | "position">;

const underWay = new Map<string, number>();
const made = new Map<string, Set<number>>();

const nameOf = ({ salesOrderId, position }: Place) => `${salesOrderId}/${position}`;

/** Marks the change that `work` makes to the line as this screen's. */
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

/** The event may come before the answer to the call that caused it. */
export function isOwnChange(event: LiveEvent, userId: number): boolean {
  if (event.by?.id !== userId) return false;
  // Other screens of the same user are told apart for lines alone.
  if (!("line" in event.data)) return true;
  const { line } = event.data as LineEvent["data"];
  const name = nameOf(line);
  return (underWay.get(name) ?? 0) > 0 || made.get(name)?.has(line.version) === true;
}
