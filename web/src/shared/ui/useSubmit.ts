/** Send a form exactly once: a double click does nothing, and a retry after a lost connection has the same key. */
import { useCallback, useEffect, useRef, useState } from "react";
import { external } from "@/shared/external";
import { asApiError } from "@/shared/http/ApiError";
import { newKey } from "@/shared/http/client";
import { toastError } from "./errors";

export interface Submit<A extends unknown[], R> {
  /** Resolves with the result of `work`, or undefined while an earlier call is under way. Rejects with ApiError. */
  submit: (...args: A) => Promise<R | undefined>;
  busy: boolean;
}

/** Counts the writes that the server accepted. */
export const written = external(0);

/**
 * Return a function that tells whether the component is still mounted. A form must not navigate after its answer if the
 * user has left it in the meantime.
 */
export function useIsShown(): () => boolean {
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return useCallback(() => shown.current, []);
}

/**
 * Wrap `work`, which gets the headers to send. The idempotency key stays the same for the same content until an answer
 * comes, and so does `work`: a retry must send what was sent before, although what `work` adds to the content may have
 * changed meanwhile. If the call fails after the component was unmounted, a message reports it.
 */
export function useSubmit<A extends unknown[], R>(
  work: (headers: { "Idempotency-Key": string }, ...args: A) => Promise<R>,
): Submit<A, R> {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const unanswered = useRef<{ content: string; key: string; send: typeof work } | null>(null);
  const isShown = useIsShown();

  async function submit(...args: A): Promise<R | undefined> {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    const content = JSON.stringify(args);
    if (unanswered.current?.content !== content) {
      unanswered.current = { content, key: newKey(), send: work };
    }
    const { key, send } = unanswered.current;
    try {
      const result = await send({ "Idempotency-Key": key }, ...args);
      unanswered.current = null;
      written.set(written.get() + 1);
      return result;
    } catch (reason) {
      const error = asApiError(reason);
      if (!error.isOffline && error.status < 500) unanswered.current = null;
      if (!isShown()) toastError(error);
      throw error;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return { submit, busy };
}
