/** The spreadsheets whose rows are not all in the grid: they are kept with the draft, with what was mended in them. */
import { useCallback, useMemo, useRef, useState } from "react";
import { useStable } from "@/shared/hooks/browser";
import { newKey } from "@/shared/http/client";
import { LINES_MOST } from "./lines";
import { sheetOf, type Reading, type Sheet, type SheetRow } from "./sheet";

export interface KeptSheet {
  id: string;
  sheet: Sheet;
  /** The numbers of the rows that are in the grid. */
  added: readonly number[];
  /** How many rows are left to mend since its preview was closed; null while it is open. */
  left: number | null;
}

export interface Sheets {
  sheets: readonly KeptSheet[];
  /** Answers the id of the new one. */
  add: (rows: SheetRow[], reading?: Reading) => string;
  /** Its file was read again. What was added of it stays added where its rows are the same. Answers its new id. */
  replace: (id: string, rows: SheetRow[], reading: Reading) => string;
  /** What was mended or added in its preview, which shows it by itself: nothing is drawn again. */
  keep: (id: string, part: Pick<KeptSheet, "sheet" | "added">) => void;
  open: (id: string) => void;
  /** One of which nothing is left is gone. */
  close: (id: string, left: number) => void;
  clear: () => void;
  /** As they are at this moment, for the draft. One that is too long to be added is not kept. */
  now: () => KeptSheet[];
}

export function useSheets(first: readonly KeptSheet[], onTyped: () => void): Sheets {
  const [sheets, setSheets] = useState(first);
  const latest = useRef(first);
  const typed = useStable(onTyped);

  const keepAll = useCallback(
    (next: readonly KeptSheet[]) => {
      latest.current = next;
      typed();
    },
    [typed],
  );
  const actions = useMemo(() => {
    const update = (next: readonly KeptSheet[]) => {
      keepAll(next);
      setSheets(next);
    };
    const altered = (id: string, part: Partial<KeptSheet>) =>
      latest.current.map((one) => (one.id === id ? { ...one, ...part } : one));
    return {
      add: (rows: SheetRow[], reading?: Reading) => {
        const id = newKey();
        update([...latest.current, { id, sheet: sheetOf(rows, reading), added: [], left: null }]);
        return id;
      },
      replace: (id: string, rows: SheetRow[], reading: Reading) => {
        const made = { id: newKey(), sheet: sheetOf(rows, reading), left: null };
        update(
          latest.current.map((one) => {
            if (one.id !== id) return one;
            const isSame = one.sheet.reading?.sheet === reading.sheet;
            return { ...made, added: isSame ? one.added : [] };
          }),
        );
        return made.id;
      },
      keep: (id: string, part: Partial<KeptSheet>) => keepAll(altered(id, part)),
      open: (id: string) => update(altered(id, { left: null })),
      close: (id: string, left: number) =>
        update(left === 0 ? latest.current.filter((one) => one.id !== id) : altered(id, { left })),
      clear: () => {
        latest.current = [];
        setSheets([]);
      },
      now: () => latest.current.filter(({ sheet }) => sheet.rows.length <= LINES_MOST),
    };
  }, [keepAll]);
  return { sheets, ...actions };
}
