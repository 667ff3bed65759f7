/** Sends one change of a line; a lost race brings the newest line and says who was quicker. */
import { useState } from "react";
import type { Line, LineEvent } from "@/contract";
import { useLiveEvents } from "@/realtime/LiveProvider";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { errorText, toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import type { Happening } from "../line/happening";
import { isAbout } from "../line/isAbout";
import { loadLine } from "../orders.api";
import { useTakeLine } from "../useTakeLine";
import { whatHappened } from "./race";

export interface Race {
  happening: Happening;
  /** The server's own refusal. */
  message: string;
}

/** `write` gets the line as it was when the person confirmed. */
export function useLineWrite<A extends unknown[]>(
  line: Line,
  write: (headers: { "Idempotency-Key": string }, line: Line, ...args: A) => Promise<Line>,
) {
  const take = useTakeLine();
  const { submit, busy } = useSubmit(write);
  const [heard, setHeard] = useState<LineEvent | null>(null);
  const [lost, setLost] = useState<{ before: Line; now: Line; message: string } | null>(null);

  useLiveEvents((event) => {
    if (isAbout(event, line)) setHeard(event);
  });

  /** The changed line, or undefined where it was refused; the person has been told why. */
  async function send(...args: A): Promise<Line | undefined> {
    setLost(null);
    try {
      const changed = await submit(line, ...args);
      if (changed !== undefined) await take(changed);
      return changed;
    } catch (reason) {
      const error = asApiError(reason);
      if (error.isConflict) await showNewest(errorText(error));
      // A change that fails for no reason of its own is the catalogue's generic message.
      else toastError(error);
      return undefined;
    }
  }

  async function showNewest(message: string): Promise<void> {
    try {
      const now = await loadLine(line.salesOrderId, line.position);
      await take(now);
      if (now.version > line.version) setLost({ before: line, now, message });
      else toast.error(message);
    } catch {
      toast.error(message); // The newest state could not be had: the refusal is still worth saying.
    }
  }

  const happening = lost === null ? null : whatHappened(lost.before, lost.now, heard);
  const race: Race | null =
    lost === null || happening === null ? null : { happening, message: lost.message };
  return { send, busy, race };
}
