/** Sends one change of a line. If it fails, a snackbar and the dialog say why, and the dialog stays open. */
import { useState } from "react";
import type { Line, LineEvent } from "@/contract";
import { activityOf, isAbout, lastActivity, type LineActivity } from "@/live/lineActivity";
import { useLastByOthers } from "@/live/useLastByOthers";
import { useIsShown, useSubmit } from "@/shared/hooks/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useSignedIn } from "@/shared/session/session";
import { errorText, toastError } from "@/shared/ui/errors";
import { loadLine } from "../orders.api";

/** What somebody did to the line while the dialog was open. */
export interface Race {
  activity: LineActivity;
  /** The same person, on another screen. */
  own: boolean;
  /** It came to light by a refusal. */
  lost: boolean;
}

/** `write` gets the newest line that is known here. */
export function useLineWrite<A extends unknown[]>(
  line: Line,
  write: (headers: { "Idempotency-Key": string }, line: Line, ...args: A) => Promise<Line>,
) {
  const me = useSignedIn().user.id;
  const [opened] = useState(line);
  const [loaded, setLoaded] = useState(line);
  const received = useLastByOthers((event) => isAbout(event, line));
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState(false);
  const isShown = useIsShown();
  const now = loaded.version > line.version ? loaded : line;
  // The line's version is no part of what was asked: a repeat after a lost answer keeps its key.
  const { submit, busy } = useSubmit((headers, ...args: A) => write(headers, now, ...args));

  /** The changed line, or undefined where it failed; `failure` says why. */
  async function send(...args: A): Promise<Line | undefined> {
    setFailure(null);
    try {
      const changed = await submit(...args);
      if (changed === undefined) return undefined;
      setDone(true);
      return changed;
    } catch (reason) {
      const error = asApiError(reason);
      setFailure(errorText(error));
      // Where the dialog is gone, `useSubmit` has said it.
      if (isShown()) toastError(error);
      if (error.isConflict) await showNewest();
      return undefined;
    }
  }

  async function showNewest(): Promise<void> {
    try {
      setLoaded(await loadLine(line.salesOrderId, line.position));
    } catch (reason) {
      // The newest state could not be had; the refusal itself has been said.
      setFailure((said) => said ?? errorText(asApiError(reason)));
    }
  }

  const activity = done || busy ? null : activityBetween(opened, now, received);
  const own = received?.by?.id === me && received.data.line.version === now.version;
  const race: Race | null =
    activity === null ? null : { activity, own, lost: failure !== null && !own };
  return { send, busy, race, failure, forget: () => setFailure(null), line: now };
}

// After a refusal: whether somebody was quicker, who it was and what they did.

/** What happened between the line a person acted on and the line as it is; null where nothing did. */
export function activityBetween(
  before: Line,
  now: Line,
  received: LineEvent | null,
): LineActivity | null {
  if (now.version <= before.version) return null;
  // The event of the newest change knows who made it, whatever it was.
  if (received !== null && received.data.line.version === now.version) return activityOf(received);
  const [old, newest] = [lastActivity(before), lastActivity(now)];
  if (newest !== null && newest.at !== old?.at) return newest;
  const unknown = { who: null, at: "" };
  return now.status === before.status
    ? { ...unknown, kind: "change" }
    : { ...unknown, kind: "status", status: now.status };
}
