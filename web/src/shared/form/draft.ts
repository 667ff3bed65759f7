/** What was typed into a form and not saved: it outlives a reload, a lost connection and an expired session. */
import i18next from "i18next";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStable } from "@/shared/hooks/browser";
import { useSignedIn } from "@/shared/session/session";
import { storeText } from "@/shared/session/stored";
import { toast } from "@/shared/ui/toast";

const PREFIX = "draft:";

interface Draft<V> {
  userId: number;
  values: V;
}

/**
 * `name` tells the forms apart: "order" for a new one, "order/3" and "order/3/line/2" for the drawers. Where the browser
 * has no room left, the person is told to save.
 */
export function keepDraft<V>(name: string, userId: number, values: V): void {
  const draft: Draft<V> = { userId, values };
  if (!storeText(sessionStorage, PREFIX + name, JSON.stringify(draft))) {
    toast.error(i18next.t("forms:draft.noRoom"));
  }
}

/** Only the person who typed it gets it back. */
export function readDraft<V>(name: string, userId: number): V | null {
  const text = sessionStorage.getItem(PREFIX + name);
  if (text === null) return null;
  const draft = JSON.parse(text) as Draft<V>;
  return draft.userId === userId ? draft.values : null;
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(PREFIX + name);
}

interface DraftState<V> {
  values: V;
  change: (part: Partial<V>) => void;
  /** It was typed before, and the dialog was not closed by the person since. */
  restored: boolean;
  /** It is sent or given up; `values` are what they were at first. */
  drop: () => void;
}

/** What is being typed in a dialog: it outlives a reload and the end of the session, like a form's draft. */
export function useDraft<V extends object>(name: string, first: V): DraftState<V> {
  const userId = useSignedIn().user.id;
  const [stored] = useState(() => readDraft<V>(name, userId));
  const [values, setValues] = useState(stored ?? first);
  const [restored, setRestored] = useState(stored !== null);
  return {
    values,
    restored,
    change: (part) => {
      const next = { ...values, ...part };
      setValues(next);
      keepDraft(name, userId, next);
    },
    drop: () => {
      dropDraft(name);
      setValues(first);
      setRestored(false);
    },
  };
}

/** So that typing in a long form never waits for its draft. */
const KEEP_AFTER = 300;

/** Keeps what `collect` gives a moment after it was typed, and at once where the page is left. */
export function useKeptDraft<V>(name: string, collect: () => V) {
  const userId = useSignedIn().user.id;
  const collectNow = useStable(collect);
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  const forget = useCallback(() => {
    if (waiting.current !== null) clearTimeout(waiting.current);
    waiting.current = null;
    dropDraft(name);
  }, [name]);
  const keepNow = useCallback(() => {
    if (waiting.current === null) return;
    clearTimeout(waiting.current);
    waiting.current = null;
    keepDraft(name, userId, collectNow());
  }, [name, userId, collectNow]);
  useEffect(() => {
    window.addEventListener("pagehide", keepNow);
    return () => {
      window.removeEventListener("pagehide", keepNow);
      keepNow();
    };
  }, [keepNow]);
  return useMemo(
    () => ({
      keepSoon: () => {
        if (waiting.current !== null) clearTimeout(waiting.current);
        waiting.current = setTimeout(keepNow, KEEP_AFTER);
      },
      forget,
    }),
    [keepNow, forget],
  );
}
