/** After a refusal: whether somebody was quicker, who it was and what they did. */
import type { Line, LineEvent } from "@/contract";
import { activityOf, lastActivity, type LineActivity } from "../line/lineActivity";

/** What happened between the line a person acted on and the line as it is; null where nothing did. */
export function activityBetween(
  before: Line,
  now: Line,
  heard: LineEvent | null,
): LineActivity | null {
  if (now.version <= before.version) return null;
  // The event of the newest change knows who made it, whatever it was.
  if (heard !== null && heard.data.version === now.version) return activityOf(heard);
  const [old, newest] = [lastActivity(before), lastActivity(now)];
  if (newest !== null && newest.at !== old?.at) return newest;
  const unknown = { who: null, at: "" };
  return now.status === before.status
    ? { ...unknown, kind: "change" }
    : { ...unknown, kind: "status", status: now.status };
}
