/** Tells the events of one line from all others. */
import type { Line, LineEvent, LiveEvent } from "@/contract";

/** Whether an event is about this very line. */
export function isAbout(
  event: LiveEvent,
  { salesOrderId, position }: Pick<Line, "salesOrderId" | "position">,
): event is LineEvent {
  const { data } = event;
  return (
    event.type.startsWith("line.") &&
    "position" in data &&
    data.salesOrderId === salesOrderId &&
    data.position === position
  );
}
