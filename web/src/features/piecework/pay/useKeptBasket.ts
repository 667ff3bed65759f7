/**
 * Keep the ticked records, and whether the payment form is open, while the page is open: across a
 * reload and the end of the session.
 */
import { useEffect, useState } from "react";
import type { Payable } from "@/contract";
import { dropDraft, keepDraft, readDraft } from "@/shared/form/draft";
import { useSelection, type Selection } from "@/shared/hooks/useSelection";
import type { CursorList } from "@/shared/http/data";
import { getSession, useMay, useSignedIn } from "@/shared/session/session";

const NAME = "payments/basket";

interface Kept {
  rows: Payable[];
  paying: boolean;
}

interface KeptBasket {
  selection: Selection<Payable>;
  /** The payment form is open. */
  paying: boolean;
  setPaying: (paying: boolean) => void;
  /** Records were ticked before a reload, and the ticks were not cleared since. */
  restored: boolean;
}

export const keyOf = ({ id }: Payable) => String(id);

/** `name`: the same as in `useSelection`. */
export function useKeptBasket(list: CursorList<Payable>, name: string): KeptBasket {
  const userId = useSignedIn().user.id;
  const mayPay = useMay("CreatePay");
  const [kept] = useState(() => (mayPay ? readDraft<Kept>(NAME, userId) : null));
  const selection = useSelection(list, name, keyOf, kept?.rows);
  const [paying, setPaying] = useState(kept?.paying ?? false);
  const [restored, setRestored] = useState(kept !== null);
  const { rows } = selection;

  useEffect(() => {
    if (rows.length > 0) keepDraft<Kept>(NAME, userId, { rows, paying });
    else dropDraft(NAME);
  }, [rows, paying, userId]);
  useEffect(
    () => () => {
      // The user left the page. If the session ended, keep the draft, because the user did not
      // choose to leave.
      if (getSession() !== null) dropDraft(NAME);
    },
    [],
  );

  function clear() {
    setRestored(false);
    selection.clear();
  }

  return {
    selection: { ...selection, clear },
    paying,
    setPaying,
    restored: restored && rows.length > 0,
  };
}
