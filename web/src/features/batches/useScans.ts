/**
 * Put scanned lines on a batch one after the other, at any pace. A scan waits while an earlier one
 * is under way, and a refused one keeps its row and holds up none of the later ones.
 */
import { useEffect, useRef, useState } from "react";
import type { Batch } from "@/contract";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call, newKey } from "@/shared/http/client";
import { answer } from "@/entities/scanning/feedback";
import { errorText } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { putOn, type Chosen } from "./batches.api";

export interface Scan {
  id: number;
  /** The scanned code; null if the line was chosen from the list. */
  code: string | null;
  line: Chosen | null;
  state: "waiting" | "on" | "refused";
  /** The line as it stands on the batch now. */
  on: Batch["lines"][number] | null;
  /** Why it was refused, and whether the same may succeed if it is sent again. */
  why: { text: string; again: boolean } | null;
}

interface Options {
  batch: Batch;
  /** Called with each refusal, and when nothing waits any more. */
  onRefused: (error: ApiError) => void;
  onIdle: () => void;
}

export function useScans({ batch: shownBatch, onRefused, onIdle }: Options) {
  const [scans, setScans] = useState<readonly Scan[]>([]);
  const last = useRef(0);
  const now = useRef(shownBatch);
  const waiting = useRef(0);
  const chain = useRef(Promise.resolve());
  const keys = useRef(new Map<number, string>());
  const shown = useRef(true);
  useEffect(() => {
    now.current = shownBatch;
  });
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);

  const change = (id: number, next: Partial<Scan>) =>
    setScans((all) => all.map((scan) => (scan.id === id ? { ...scan, ...next } : scan)));

  /** Returns whether the line is on the batch now. */
  async function put({ id, code, line: chosen }: Scan): Promise<boolean> {
    try {
      const line = chosen ?? (await lineOf(code ?? ""));
      change(id, { line });
      const key = keys.current.get(id) ?? newKey();
      keys.current.set(id, key); // sent again, it is put on once
      const batch = await putOn({ "Idempotency-Key": key }, now.current, line);
      const on = batch.lines.find(
        (each) => each.salesOrderId === line.salesOrderId && each.position === line.position,
      );
      answer("yes");
      // Drop the earlier rows of lines that are on the batch: its own list shows them. Who chose a line has seen why it
      // was refused; who scans on may not have, so these rows stay.
      setScans((all) =>
        all
          .filter((scan) => scan.id === id || scan.state !== "on")
          .filter((scan) => scan.id === id || scan.state !== "refused" || scan.code !== null)
          .filter((scan) => scan.id === id || scan.state === "waiting" || !isSame(scan, code, line))
          .map((scan) => (scan.id === id ? { ...scan, state: "on", line, on: on ?? null } : scan)),
      );
      return true;
    } catch (reason) {
      const error = asApiError(reason);
      const again = error.isOffline || error.status >= 500 || error.status === 429;
      if (!again) keys.current.delete(id);
      answer("no");
      change(id, { state: "refused", why: { text: errorText(error), again } });
      if (!shown.current) toast.error(errorText(error));
      onRefused(error);
      return false;
    } finally {
      waiting.current -= 1;
      if (waiting.current === 0) onIdle();
    }
  }

  function queue(scan: Scan): Promise<boolean> {
    waiting.current += 1;
    const done = chain.current.then(() => put(scan));
    chain.current = done.then(() => undefined);
    return done;
  }

  function add(what: Pick<Scan, "code" | "line">): Promise<boolean> {
    last.current += 1;
    const scan: Scan = { ...what, id: last.current, state: "waiting", on: null, why: null };
    setScans((all) => [...all, scan]);
    return queue(scan);
  }

  return {
    scans,
    scan: (code: string) => add({ code, line: null }),
    choose: (line: Chosen) => add({ code: null, line }),
    /** Note a code that was read and not sent. */
    refuse: (code: string, text: string) => {
      last.current += 1;
      const why = { text, again: false };
      answer("no");
      setScans((all) => [
        ...all,
        { id: last.current, code, line: null, state: "refused", on: null, why },
      ]);
    },
    again: (scan: Scan) => {
      change(scan.id, { state: "waiting", why: null });
      void queue(scan);
    },
    drop: ({ id }: Scan) => setScans((all) => all.filter((scan) => scan.id !== id)),
  };
}

/** Find the line of a sheet's code: all of its pieces are meant. Throws ApiError. */
async function lineOf(code: string): Promise<Chosen> {
  const { salesOrderId, position } = await call(api.POST("/api/scan", { body: { code } }));
  return { salesOrderId, position, quantity: null };
}

/** Whether a scan was of this code or line. */
const isSame = (scan: Scan, code: string | null, line: Chosen): boolean =>
  (code !== null && scan.code === code) ||
  (scan.line?.salesOrderId === line.salesOrderId && scan.line.position === line.position);
