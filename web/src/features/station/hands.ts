/**
 * Handle input at a station: ignore a second tap on what appeared under the finger, and keep the
 * keyboard focus.
 */
import { useEffect, useLayoutEffect, useState } from "react";

/** Time after the screen changed in which a tap at the same place is ignored, in ms. */
const SETTLES = 700;
/** Distance between taps of one gloved finger, in px. */
const FINGER = 100;

/** Tell intended taps from taps on what appeared under the finger. Times are in ms. */
export class Taps {
  #last = { x: 0, y: 0, at: -Infinity };
  #shown: unknown = null;
  #down = -Infinity;
  #changed = -Infinity;
  /**
   * The place of the tap that changed the screen, and the time until which taps there are ignored.
   */
  #under = { x: 0, y: 0 };
  #until = -Infinity;

  down(at: number): void {
    this.#down = at;
  }

  /** Note a scan: the worker has looked at the screen again, so their next tap is intended. */
  forget(): void {
    this.#last = { x: 0, y: 0, at: -Infinity };
    this.#until = -Infinity;
  }

  /** Note that something opened or closed, if `shown` is new. */
  change(shown: unknown, at: number): void {
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changed = at;
    if (at - this.#last.at >= SETTLES) return;
    this.#under = this.#last;
    this.#until = at + SETTLES;
  }

  /**
   * Whether a tap is intended. `byPointer`: false for a button pressed by a key. An ignored tap
   * extends the time in which taps are ignored.
   */
  isMeant({ x, y, at, byPointer }: { x: number; y: number; at: number; byPointer: boolean }) {
    const again = at < this.#until && Math.hypot(x - this.#under.x, y - this.#under.y) < FINGER;
    if (again) this.#until = at + SETTLES;
    if (again || (byPointer && this.#down < this.#changed)) return false;
    this.#last = { x, y, at };
    return true;
  }
}

/** Ignore unintended taps. `shown` must change whenever something opens or closes. */
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

/**
 * Props of an element that gets the focus if no earlier one is left. The last such element wins.
 */
export const FOCUS_HOME = { tabIndex: -1, "data-focus-home": true } as const;
const REMEMBERED = 200;

const isThere = (element: HTMLElement) =>
  element.isConnected && element.closest("[inert]") === null;

/**
 * When the focused element is removed, focus the element that had the focus before, or else the
 * heading.
 */
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
