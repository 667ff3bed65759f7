/**
 * Hold the lines of an order while the user writes them, and look up their products in the
 * background.
 */
import { useCallback, useMemo, useRef, useState } from "react";
import type { OfferedProduct } from "@/contract";
import { PIECES, countable, readTyped } from "@/shared/format/typedNumber";
import { useStable } from "@/shared/hooks/browser";
import { loadWithHeaders } from "@/shared/http/data";
import { inTheirLanguage } from "@/shared/http/names";
import { toastError } from "@/shared/ui/errors";
import { withRoom, written, type GridLine } from "./lines";

/** All functions are stable, so that a row renders only if it changed. */
export interface LineActions {
  change: (id: number, part: Partial<GridLine>) => void;
  /** Search for the typed text and take the best match, while the user continues. */
  chooseLikeliest: (id: number, search: string) => void;
  remove: (id: number) => void;
  /** Add the pieces of a line to another one with the same product, and remove the line. */
  addTo: (id: number, other: number) => void;
  /** Add lines after the written ones. */
  append: (lines: readonly GridLine[]) => void;
  replace: (lines: readonly GridLine[]) => void;
}

interface Lines {
  lines: readonly GridLine[];
  actions: LineActions;
  /** The current lines, rendered or not. */
  now: () => readonly GridLine[];
  /** The current lines, once all product searches have ended. */
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
        const item: OfferedProduct | undefined = inTheirLanguage(data[0]);
        const line = latest.current.find((each) => each.id === id);
        // Drop the result if the user typed something else in the meantime.
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
