/** Hoy as a line's event leaves it: what is shown is drawn, what no longer is to be seen to goes. */
import type { LineDocument, Today } from "@/contract";
import { isToBill } from "./derived";
import { patchRow } from "./documents";

const PARTS = ["late", "dueThisWeek", "insideOverADay", "toApprove", "toBill"] as const;
export type TodayPart = (typeof PARTS)[number];

const A_DAY = 86_400_000;

type Judged = Pick<
  LineDocument,
  "status" | "late" | "deliveryDate" | "inside" | "quantity" | "quantityBilled"
>;

/** Whether a line is still to be seen to, as the server counts it. */
function belongs(part: TodayPart, line: Judged, { today, weekEnds }: Today, now: number): boolean {
  const { status, late, deliveryDate, inside } = line;
  switch (part) {
    case "late":
      return late;
    case "dueThisWeek":
      return (
        !["Done", "Invoiced", "Canceled"].includes(status) &&
        deliveryDate !== null &&
        deliveryDate >= today &&
        deliveryDate <= weekEnds
      );
    case "insideOverADay":
      return inside.some(({ since }) => now - Date.parse(since) > A_DAY);
    case "toApprove":
      return status === "New";
    case "toBill":
      return isToBill(line);
  }
}

/** A line that is not shown changes nothing here: only the server knows whether it was counted. */
export function patchToday(kept: Today, changed: readonly LineDocument[], now = Date.now()): Today {
  let next = kept;
  for (const part of PARTS) {
    const shown = kept[part];
    if (shown === null) continue;
    const ids = new Set(changed.map(({ id }) => id));
    const lines = shown.lines
      .map((row) => changed.reduce(patchRow, row))
      .filter((row) => !ids.has(row.id) || belongs(part, row, kept, now));
    const gone = shown.lines.length - lines.length;
    if (gone === 0 && lines.every((row, index) => row === shown.lines[index])) continue;
    next = { ...next, [part]: { count: shown.count - gone, lines } };
  }
  return next;
}
