/** What is being typed in a dialog: it outlives a reload and the end of the session, like a form's draft. */
import { useState } from "react";
import { useSignedIn } from "@/shared/session/session";
import { dropDraft, keepDraft, readDraft } from "./draft";

interface DraftState<V> {
  values: V;
  change: (part: Partial<V>) => void;
  /** It was typed before, and the dialog was not closed by the person since. */
  restored: boolean;
  /** It is sent or given up; `values` are what they were at first. */
  drop: () => void;
}

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
