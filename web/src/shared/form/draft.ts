/** Drafts: unsaved input, stored so that it outlives a reload, a lost connection and an expired session. */
import i18next from "i18next";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStable } from "@/shared/hooks/browser";
import { useSignedIn } from "@/shared/session/session";
import { ofTab } from "@/shared/stored";
import { toast } from "@/shared/ui/toast";

const PREFIX = "draft:";

interface Draft<V> {
  userId: number;
  values: V;
}

/**
 * Store a draft. `name` identifies the form: "order" for a new order, "order/3" and "order/3/line/2" for the drawers.
 * If storage is full, a message asks the user to save.
 */
export function keepDraft<V>(name: string, userId: number, values: V): void {
  const draft: Draft<V> = { userId, values };
  if (!ofTab.setItem(PREFIX + name, JSON.stringify(draft))) {
    toast.error(i18next.t("forms:draft.noRoom"));
  }
}

/** The draft of this user, or null. */
export function readDraft<V>(name: string, userId: number): V | null {
  const text = ofTab.getItem(PREFIX + name);
  if (text === null) return null;
  const draft = JSON.parse(text) as Draft<V>;
  return draft.userId === userId ? draft.values : null;
}

export function dropDraft(name: string): void {
  ofTab.removeItem(PREFIX + name);
}

interface DraftState<V> {
  values: V;
  change: (part: Partial<V>) => void;
  /** Whether the values come from an earlier draft that was not dropped. */
  restored: boolean;
  /** Deletes the draft and resets `values`. */
  drop: () => void;
}

/** The state of a dialog's input, stored as a draft with each change. */
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

/** Milliseconds after the last key, so that typing in a long form does not wait for its draft. */
const KEEP_AFTER = 300;

/** Store the result of `collect` as a draft shortly after the last input, and at once when the user leaves the page. */
export function useKeptDraft<V>(name: string, collect: () => V) {
  const userId = useSignedIn().user.id;
  const collectNow = useStable(collect);
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  const sent = useRef(false);
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
        if (sent.current) return;
        if (waiting.current !== null) clearTimeout(waiting.current);
        waiting.current = setTimeout(keepNow, KEEP_AFTER);
      },
      forget,
      /** The record is saved: drop the draft, and store nothing that is typed until the page is left. */
      end: () => {
        sent.current = true;
        forget();
      },
    }),
    [keepNow, forget],
  );
}
