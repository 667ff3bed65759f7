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
  /** Where its rows come from, as long as the page is open: a draft cannot keep a file. */
  file?: File;
  /** How many rows are left to mend since its preview was closed; null while it is open. */
  left: number | null;
}

/** A file and how it was read. */
export interface OfFile {
  file: File;
  reading: Reading;
}

export interface Sheets {
  sheets: readonly KeptSheet[];
  add: (rows: SheetRow[], from?: OfFile) => void;
  /** Its file was read again. What was added of it stays added where its rows are the same. */
  replace: (id: string, rows: SheetRow[], from: OfFile) => void;
  /** What was mended or added in its preview, which shows it by itself: nothing is drawn again. */
  keep: (id: string, part: Pick<KeptSheet, "sheet" | "added">) => void;
  open: (id: string) => void;
  /** One of which nothing is left is gone. */
  close: (id: string, left: number) => void;
  clear: () => void;
  /** As they are at this moment, for the draft. One that is too long to be added is not kept. */
  now: () => KeptSheet[];
}

function made(rows: SheetRow[], from?: OfFile): Omit<KeptSheet, "added"> {
  const sheet = sheetOf(rows, from?.reading);
  return { id: newKey(), sheet, left: null, ...(from === undefined ? {} : { file: from.file }) };
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
      add: (rows: SheetRow[], from?: OfFile) =>
        update([...latest.current, { ...made(rows, from), added: [] }]),
      replace: (id: string, rows: SheetRow[], from: OfFile) =>
        update(
          latest.current.map((one) => {
            if (one.id !== id) return one;
            const isSame = one.sheet.reading?.sheet === from.reading.sheet;
            return { ...made(rows, from), added: isSame ? one.added : [] };
          }),
        ),
      keep: (id: string, part: Partial<KeptSheet>) => keepAll(altered(id, part)),
      open: (id: string) => update(altered(id, { left: null })),
      close: (id: string, left: number) =>
        update(left === 0 ? latest.current.filter((one) => one.id !== id) : altered(id, { left })),
      clear: () => {
        latest.current = [];
        setSheets([]);
      },
      now: () =>
        latest.current
          .filter(({ sheet }) => sheet.rows.length <= LINES_MOST)
          .map(({ id, sheet, added, left }) => ({ id, sheet, added, left })),
    };
  }, [keepAll]);
  return { sheets, ...actions };
}
