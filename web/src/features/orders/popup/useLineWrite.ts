/**
 * Send one change of a line. If it fails, a toast and the dialog say why, and the dialog stays
 * open.
 */
import { useState } from "react";
import type { Line, LineEvent } from "@/contract";
import { activityOf, isAbout, lastActivity, type LineActivity } from "@/live/lineActivity";
import { useLastByOthers } from "@/live/useLastByOthers";
import { useIsShown, useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { useSignedIn } from "@/shared/session/session";
import { errorText, toastError } from "@/shared/ui/errors";
import { loadLine } from "../orders.api";

/** A change of the line while the dialog was open. */
export interface Race {
  activity: LineActivity;
  /** The same user made it, on another screen. */
  own: boolean;
  /** It was found because the server refused the change. */
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
  /** The refused change's error. */
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const [done, setDone] = useState(false);
  const isShown = useIsShown();
  const now = loaded.version > line.version ? loaded : line;
  // The line is not an argument of `submit`, so a retry after a lost answer keeps its idempotency
  // key.
  const { submit, busy } = useSubmit((headers, ...args: A) => write(headers, now, ...args));

  function forget(): void {
    setFailure(null);
    setRefusal(null);
  }

  /** Return the changed line, or undefined if it failed; `failure` then says why. */
  async function send(...args: A): Promise<Line | undefined> {
    forget();
    try {
      const changed = await submit(...args);
      if (changed === undefined) return undefined;
      setDone(true);
      return changed;
    } catch (reason) {
      const error = asApiError(reason);
      setFailure(errorText(error));
      setRefusal(error);
      // If the dialog is gone, `useSubmit` has shown the error.
      if (isShown()) toastError(error);
      if (error.isConflict) await showNewest();
      return undefined;
    }
  }

  async function showNewest(): Promise<void> {
    try {
      setLoaded(await loadLine(line.salesOrderId, line.position));
    } catch (reason) {
      // The newest line could not be loaded. The message of the refusal stays.
      setFailure((said) => said ?? errorText(asApiError(reason)));
    }
  }

  const activity = done || busy ? null : activityBetween(opened, now, received);
  const own = received?.by?.id === me && received.data.line.version === now.version;
  const race: Race | null =
    activity === null ? null : { activity, own, lost: failure !== null && !own };
  return { send, busy, race, failure, refusal, forget, line: now };
}

/**
 * Return what happened to the line between two versions; null if nothing did. The user is unknown
 * without an event or a new record.
 */
export function activityBetween(
  before: Line,
  now: Line,
  received: LineEvent | null,
): LineActivity | null {
  if (now.version <= before.version) return null;
  // The event of the newest version knows the change and who made it.
  if (received !== null && received.data.line.version === now.version) return activityOf(received);
  const [old, newest] = [lastActivity(before), lastActivity(now)];
  if (newest !== null && newest.at !== old?.at) return newest;
  const unknown = { who: null, at: "" };
  return now.status === before.status
    ? { ...unknown, kind: "change" }
    : { ...unknown, kind: "status", status: now.status };
}
