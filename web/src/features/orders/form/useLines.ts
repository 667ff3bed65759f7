/** The lines of an order as somebody writes them: their changes, and the products that are still being looked for. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { OfferedProduct } from "@/contract";
import { countable, readTyped } from "@/shared/format/typedNumber";
import { useStable } from "@/shared/hooks/browser";
import { loadWithHeaders } from "@/shared/http/data";
import { toastError } from "@/shared/ui/errors";
import { withRoom, written, type GridLine } from "./lines";
import { PIECES } from "./values";

/** All of them stay the same while the page is shown: a row is drawn again only where it changed. */
export interface LineActions {
  change: (id: number, part: Partial<GridLine>) => void;
  /** Looks for what is typed, and takes the likeliest; meanwhile the person goes on. */
  chooseLikeliest: (id: number, search: string) => void;
  remove: (id: number) => void;
  /** Puts the pieces of a line to another one that has its product, and removes it. */
  addTo: (id: number, other: number) => void;
  /** After the lines that are written. */
  append: (lines: readonly GridLine[]) => void;
  replace: (lines: readonly GridLine[]) => void;
}

interface Lines {
  lines: readonly GridLine[];
  actions: LineActions;
  /** As they are at this moment, drawn or not. */
  now: () => readonly GridLine[];
  /** The same, once every product that is looked for is found or not. */
  settled: () => Promise<readonly GridLine[]>;
}

export function useLines(first: readonly GridLine[], onTyped: () => void): Lines {
  const [lines, setLines] = useState(() => withRoom(first));
  const latest = useRef(lines);
  const looking = useRef(new Set<Promise<void>>());
  const typed = useStable(onTyped);

  const update = useCallback(
    (next: readonly GridLine[]) => {
      latest.current = withRoom(next);
      setLines(latest.current);
      typed();
    },
    [typed],
  );

  const actions = useMemo((): LineActions => {
    const alter = (id: number, part: Partial<GridLine>) =>
      update(latest.current.map((line) => (line.id === id ? { ...line, ...part } : line)));
    const look = async (id: number, search: string) => {
      try {
        const query = { search, limit: 1 };
        const { data } = await loadWithHeaders("/api/items/offered", { query }, true);
        const item: OfferedProduct | undefined = data[0];
        const line = latest.current.find((each) => each.id === id);
        // What was typed meanwhile means something else.
        if (item !== undefined && line?.item === null && line.search.trim() === search) {
          alter(id, { item, search: "" });
        }
      } catch (reason) {
        toastError(reason);
      }
    };
    return {
      change: alter,
      chooseLikeliest: (id, search) => {
        const work = look(id, search);
        looking.current.add(work);
        void work.finally(() => looking.current.delete(work));
      },
      remove: (id) => update(latest.current.filter((line) => line.id !== id)),
      addTo: (id, other) => {
        const pieces = (line: GridLine) => countable(readTyped(line.quantity, PIECES), PIECES);
        const added = latest.current.find((line) => line.id === id);
        const more = added === undefined ? null : pieces(added);
        update(
          latest.current.flatMap((line) => {
            if (line.id === id) return [];
            if (line.id !== other) return [line];
            return [{ ...line, quantity: String((pieces(line) ?? 0) + (more ?? 0)) }];
          }),
        );
      },
      append: (more) => update([...written(latest.current), ...more]),
      replace: update,
    };
  }, [update]);

  const settled = useCallback(async () => {
    await Promise.all(looking.current);
    return latest.current;
  }, []);
  const now = useCallback(() => latest.current, []);
  return { lines, actions, now, settled };
}
