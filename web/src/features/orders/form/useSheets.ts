/**
 * Hold the spreadsheets with rows that are not in the grid yet. They are kept with the draft,
 * including corrections.
 */
import { useCallback, useMemo, useRef, useState } from "react";
import { useStable } from "@/shared/hooks/browser";
import { newKey } from "@/shared/http/client";
import { LINES_MOST } from "./lines";
import { sheetOf, type Reading, type Sheet, type SheetRow } from "./sheet";

export interface KeptSheet {
  id: string;
  sheet: Sheet;
  /** Numbers of the rows that are in the grid. */
  added: readonly number[];
  /** The file of the rows, while the page is open: a draft cannot keep a file. */
  file?: File;
  /** Number of rows left when the preview was closed; null while it is open. */
  left: number | null;
}

export interface OfFile {
  file: File;
  reading: Reading;
}

export interface Sheets {
  sheets: readonly KeptSheet[];
  add: (rows: SheetRow[], from?: OfFile) => void;
  /**
   * Replace the rows after the file was read again. Added rows stay added if it is the same sheet
   * of the file.
   */
  replace: (id: string, rows: SheetRow[], from: OfFile) => void;
  /**
   * Keep what was corrected or added in the preview. Renders nothing, because the preview already
   * shows it.
   */
  keep: (id: string, part: Pick<KeptSheet, "sheet" | "added">) => void;
  open: (id: string) => void;
  /** Close the preview. A sheet without rows left is removed. */
  close: (id: string, left: number) => void;
  clear: () => void;
  /** The current sheets, for the draft. Sheets with too many rows are left out. */
  now: () => KeptSheet[];
  /**
   * Return how many rows are left to mend, to warn the user before saving loses them. For the same
   * rows it returns 0 from the second call on.
   */
  countToWarnOf: () => number;
}

function made(rows: SheetRow[], from?: OfFile): Omit<KeptSheet, "added"> {
  const sheet = sheetOf(rows, from?.reading);
  return { id: newKey(), sheet, left: null, ...(from === undefined ? {} : { file: from.file }) };
}

export function useSheets(first: readonly KeptSheet[], onTyped: () => void): Sheets {
  const [sheets, setSheets] = useState(first);
  const latest = useRef(first);
  const told = useRef("");
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
      countToWarnOf: () => {
        const rows = latest.current.map(({ id, left }) => `${id} ${left ?? 0}`).join();
        if (rows === told.current) return 0;
        told.current = rows;
        return latest.current.reduce((sum, { left }) => sum + (left ?? 0), 0);
      },
    };
  }, [keepAll]);
  return { sheets, ...actions };
}
