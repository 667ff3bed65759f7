/** What the list says about an order's lines; canceled ones do not count. */
import type { Line, SalesOrder } from "@/contract";

export interface OrderSummary {
  lines: number;
  /** Pieces of finished lines, and of all lines. */
  done: number;
  pieces: number;
  /** The next delivery of what is still open; of all lines once none is. */
  earliest: string | null;
  late: boolean;
}

const FINISHED = new Set<Line["status"]>(["Done", "Invoiced"]);

export function summarize({ items }: Pick<SalesOrder, "items">): OrderSummary {
  const counted = items.filter(({ status }) => status !== "Canceled");
  const open = counted.filter(({ status }) => !FINISHED.has(status));
  return {
    lines: counted.length,
    done: sum(counted.map(({ quantityDone }) => quantityDone)),
    pieces: sum(counted.map(({ quantity }) => quantity)),
    earliest: earliest(open.length > 0 ? open : counted),
    late: open.some(({ late }) => late),
  };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function earliest(lines: Line[]): string | null {
  const days = lines.map(({ deliveryDate }) => deliveryDate).filter((day) => day !== null);
  return days.toSorted()[0] ?? null;
}
