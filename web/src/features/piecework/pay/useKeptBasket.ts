/** What is ticked to pay, and whether it is being paid: kept while the page is open, over a reload and the end of the session. */
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
  /** The drawer is open. */
  paying: boolean;
  setPaying: (paying: boolean) => void;
  /** Some of it was ticked before the reload, and it was not cleared since. */
  restored: boolean;
}

export const keyOf = ({ id }: Payable) => String(id);

/** `name` as `useSelection` takes it. */
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
      // The person went to another page. Where the session ended, nobody chose to leave.
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
