/** What hands need at a station: a second tap presses nothing that came under the finger, and a keyboard keeps its place. */
import { useEffect, useLayoutEffect, useState } from "react";

/** As long after the screen changed, a tap at the same place still means what stood there before. */
const SETTLES = 700;
/** How far apart the taps of one gloved finger land, in pixels. */
const FINGER = 100;

/** Tells taps that are meant from those that fall through to what appeared under the finger. Times in milliseconds. */
export class Taps {
  #last = { x: 0, y: 0, at: -Infinity };
  #shown: unknown = null;
  #down = -Infinity;
  #changed = -Infinity;
  /** Where the tap was that changed it, and how long taps there are not meant. */
  #under = { x: 0, y: 0 };
  #until = -Infinity;

  down(at: number): void {
    this.#down = at;
  }

  /** A scan came since: whoever made it has looked at the screen again, so his next tap is meant. */
  forget(): void {
    this.#last = { x: 0, y: 0, at: -Infinity };
    this.#until = -Infinity;
  }

  /** Something opened over what stood there, or closed: `shown` has changed. */
  change(shown: unknown, at: number): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed = at;
    if (at - this.#last.at >= SETTLES) return;
    this.#under = this.#last;
    this.#until = at + SETTLES;
  }

  /** `byPointer` is false for a button that was pressed by a key. Whoever goes on tapping goes on being ignored. */
  isMeant({ x, y, at, byPointer }: { x: number; y: number; at: number; byPointer: boolean }) {
    const again = at < this.#until && Math.hypot(x - this.#under.x, y - this.#under.y) < FINGER;
    if (again) this.#until = at + SETTLES;
    if (again || (byPointer && this.#down < this.#changed)) return false;
    this.#last = { x, y, at };
    return true;
  }
}

/** Ignores taps that fall through. `shown` must change whenever something opens or closes. */
export function useTapsMeant(shown: unknown): void {
  const [taps] = useState(() => new Taps());
  useLayoutEffect(() => taps.change(shown, performance.now()), [taps, shown]);
  useEffect(() => {
    const onDown = (event: PointerEvent) => taps.down(event.timeStamp);
    const onKey = ({ key }: KeyboardEvent) => key.length === 1 && taps.forget();
    const onClick = (event: MouseEvent) => {
      const { clientX: x, clientY: y, timeStamp: at, detail } = event;
      if (taps.isMeant({ x, y, at, byPointer: detail > 0 })) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("pointerdown", onDown, { capture: true });
    window.addEventListener("keydown", onKey, { capture: true });
    window.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("pointerdown", onDown, { capture: true });
      window.removeEventListener("keydown", onKey, { capture: true });
      window.removeEventListener("click", onClick, { capture: true });
    };
  }, [taps]);
}

/** Where the focus goes when nothing that had it is left: the last of these. */
export const FOCUS_HOME = { tabIndex: -1, "data-focus-home": true } as const;
const REMEMBERED = 200;

const isThere = (element: HTMLElement) =>
  element.isConnected && element.closest("[inert]") === null;

/** What goes away with the focus in it gives it back to what had it before, else to the heading. */
export function useKeptFocus(): void {
  useEffect(() => {
    let trail: HTMLElement[] = [];
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== document.body) {
        trail = [...trail.filter((each) => each !== target), target].slice(-REMEMBERED);
      }
    };
    const onChange = (changes: MutationRecord[]) => {
      const last = trail.at(-1);
      if (last === undefined || document.activeElement !== document.body) return;
      const gone = changes.flatMap(({ removedNodes }) => [...removedNodes]);
      if (!gone.some((node) => node.contains(last))) return;
      const homes = [...document.querySelectorAll<HTMLElement>("[data-focus-home]")];
      const next = trail.findLast(isThere) ?? homes.findLast(isThere);
      next?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(onChange);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", onFocus);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocus);
    };
  }, []);
}
