/**
 * Show a code and poll until someone has typed it. Gets a new code after the old one expired, and
 * retries while the server does not answer.
 */
import { useEffect, useEffectEvent, useState } from "react";
import { asApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import type { PairedDisplay } from "@/shared/session/display";

const ASKED_EVERY = 2_000;
const TRIED_EVERY = 5_000;

interface Shown {
  /** Null before the first code. */
  code: string | null;
  /** The server does not answer, or gives no codes for now. */
  failed: boolean;
}

export function usePairing(whenPaired: (display: PairedDisplay) => void): Shown {
  const [shown, setShown] = useState<Shown>({ code: null, failed: false });
  const onPaired = useEffectEvent(whenPaired);

  useEffect(() => {
    let secret: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;

    /** Send one request. Returns the time until the next one in ms, or null if there is none. */
    async function step(): Promise<number | null> {
      if (secret === null) {
        const fresh = await call(api.POST("/api/displays/pairings", { headers: QUIET }));
        secret = fresh.secret;
        if (!stopped) setShown({ code: fresh.code, failed: false });
        return ASKED_EVERY;
      }
      const answer = await call(
        api.GET("/api/displays/pairings/{secret}", {
          params: { path: { secret } },
          headers: QUIET,
        }),
      );
      if (stopped) return null;
      if (!answer.token || !answer.zone) {
        setShown((before) => (before.failed ? { ...before, failed: false } : before));
        return ASKED_EVERY;
      }
      onPaired({ token: answer.token, zone: answer.zone });
      return null;
    }

    function onError(reason: unknown): number {
      const { status, params } = asApiError(reason);
      if (status === 404 && secret !== null) {
        secret = null; // the code has expired: get another at once
        return 0;
      }
      if (!stopped) setShown((before) => ({ ...before, failed: true }));
      const wait = Number(params["retryAfter"]);
      return Number.isFinite(wait) ? wait * 1_000 : TRIED_EVERY;
    }

    async function run(): Promise<void> {
      const next = await step().catch(onError);
      if (!stopped && next !== null) timer = setTimeout(() => void run(), next);
    }
    void run();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, []);

  return shown;
}
