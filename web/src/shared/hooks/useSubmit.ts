/** Sends a form once: double clicks do nothing, and a repeat after a lost connection cannot do it twice. */
import { useCallback, useEffect, useRef, useState } from "react";
import { external } from "@/shared/external";
import { asApiError } from "@/shared/http/ApiError";
import { newKey } from "@/shared/http/client";
import { toastError } from "@/shared/ui/errors";

export interface Submit<A extends unknown[], R> {
  /** What `work` answers, or undefined while an earlier call is still under way. Throws ApiError. */
  submit: (...args: A) => Promise<R | undefined>;
  busy: boolean;
}

/** Rises with every write that the server took. */
export const written = external(0);

/**
 * Whether the component is still on screen. Who has left while it sent is not to be taken elsewhere once it is sent: what is
 * on screen by then is what he opened since.
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
 * `work` gets the headers to send: one idempotency key for the same content until an answer came. Where the form is gone
 * by then, nothing on screen would say that it failed: a message does.
 */
export function useSubmit<A extends unknown[], R>(
  work: (headers: { "Idempotency-Key": string }, ...args: A) => Promise<R>,
): Submit<A, R> {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const unanswered = useRef<{ content: string; key: string } | null>(null);
  const isShown = useIsShown();

  async function submit(...args: A): Promise<R | undefined> {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    const content = JSON.stringify(args);
    const key = unanswered.current?.content === content ? unanswered.current.key : newKey();
    unanswered.current = { content, key };
    try {
      const result = await work({ "Idempotency-Key": key }, ...args);
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
