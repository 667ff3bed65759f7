/**
 * Move cards smoothly from their old place to the new one, even in another lane, and highlight new
 * ones.
 */
import { useLayoutEffect, useRef, type RefObject } from "react";
import type { LaneView } from "./boardView";

const LASTS = 450;
/** Long enough to be seen from across the workshop. The legend explains the edge. */
const SHINES = 5_000;

interface Stood {
  line: string;
  place: DOMRect;
}

/**
 * Follow every element with `data-record` and `data-line` inside `root`, and all records of the
 * lanes, shown or not. While `busy`, nothing moves smoothly: nobody could follow the movements, and
 * drawing them takes most of a processor.
 */
export function useGlide(
  root: RefObject<HTMLElement | null>,
  lanes: readonly LaneView[],
  busy: boolean,
): void {
  const stood = useRef<ReadonlyMap<string, Stood>>(new Map());
  const known = useRef<ReadonlySet<number> | null>(null);

  useLayoutEffect(() => {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const before = stood.current;
    const now = new Map<string, Stood>();
    const elements = new Map<string, HTMLElement>();
    for (const element of root.current?.querySelectorAll<HTMLElement>("[data-record]") ?? []) {
      const { record = "", line = "" } = element.dataset;
      now.set(record, { line, place: element.getBoundingClientRect() });
      elements.set(record, element);
    }
    /**
     * The old places of pieces that are gone, by line. New cards of the same line start from there.
     */
    const gone = new Map<string, DOMRect>();
    for (const [record, { line, place }] of before) if (!now.has(record)) gone.set(line, place);
    for (const [record, { line, place }] of busy ? [] : now) {
      const element = elements.get(record)!;
      const isNew = known.current?.has(Number(record)) === false;
      const from = before.get(record)?.place ?? (isNew ? gone.get(line) : undefined);
      if (from !== undefined) glide(element, from.left - place.left, from.top - place.top);
      if (isNew) shine(element);
    }
    stood.current = now;
    known.current = new Set(lanes.flatMap(({ cards }) => cards.map(({ recordId }) => recordId)));
  }, [root, lanes, busy]);
}

function glide(element: HTMLElement, x: number, y: number): void {
  if (Math.abs(x) + Math.abs(y) < 2) return;
  element.animate([{ transform: `translate(${x}px, ${y}px)`, zIndex: 1 }, { transform: "none" }], {
    duration: LASTS,
    easing: "cubic-bezier(0.2, 0.8, 0.2, 1)",
  });
}

function shine(element: HTMLElement): void {
  const edge = { outline: "0.4vmin solid var(--ob-primary)", outlineOffset: "-0.4vmin" };
  element.animate([edge, { ...edge, offset: 0.8 }, {}], { duration: SHINES });
}
