/** After a refusal: whether somebody was quicker, who it was and what they did. */
import type { Line, LineEvent } from "@/contract";
import { happeningOf, lastHappening, type Happening } from "../line/happening";

/** What happened between the line a person acted on and the line as it is; null where nothing did. */
export function whatHappened(before: Line, now: Line, heard: LineEvent | null): Happening | null {
  if (now.version <= before.version) return null;
  // The event of the newest change knows who made it, whatever it was.
  if (heard !== null && heard.data.version === now.version) return happeningOf(heard);
  const [old, newest] = [lastHappening(before), lastHappening(now)];
  if (newest !== null && newest.at !== old?.at) return newest;
  const unknown = { who: null, at: "" };
  return now.status === before.status
    ? { ...unknown, kind: "change" }
    : { ...unknown, kind: "status", status: now.status };
}
