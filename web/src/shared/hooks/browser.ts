/** What a page asks of the browser and of React: width, time, focus, a pause in typing, a screen that stays on, a function that stays the same. */
import {
  useCallback,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";

const NARROW = "(max-width: 760px)";
/** As `hand.css` says it too. */
const HAND = "(max-width: 1023.98px), (pointer: coarse)";

export function useMedia(media: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = window.matchMedia(media);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(media).matches);
}

/** Whether the window is as wide as a phone: a drawer takes all of it. */
export const useNarrow = (): boolean => useMedia(NARROW);

/** Whether a finger works here, or the window is a tablet's at most: lists are cards, and what is pressed is large. */
export const useHand = (): boolean => useMedia(HAND);

/** The time, renewed every so many milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

const PAUSE = 200;

/** A text once the person has stopped typing for a moment: what a search asks the server with. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === "" ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** Gives the focus back, when this part goes away, to what held it when the part came: a dialog to its button. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The dialog lets go of the focus as it goes; only then can it be given back.
      requestAnimationFrame(() => {
        const lost = document.activeElement === null || document.activeElement === document.body;
        if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    },
    [before],
  );
}

/**
 * A function that stays the same, and does what `work` of the newest render does: for handlers of memoized rows, and for
 * what a timer calls. It must not be called during a render. What effects alone call is React's `useEffectEvent`.
 */
export function useStable<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  const newest = useRef(work);
  // Before every other effect of the render, those of the children too: any of them may call it.
  useInsertionEffect(() => {
    newest.current = work;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}

/** Keeps the screen on while the page is seen. The browser lets go of it whenever the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    // Only pages that came by https have it.
    const { wakeLock } = navigator as { wakeLock?: WakeLock };
    let held: WakeLockSentinel | null = null;
    let over = false;
    const ask = async () => {
      if (wakeLock === undefined || document.hidden) return;
      try {
        const sentinel = await wakeLock.request("screen");
        if (over) await sentinel.release();
        else held = sentinel;
      } catch {
        held = null; // A low battery may refuse it: the screen's own settings decide.
      }
    };
    const onChange = () => void ask();
    void ask();
    document.addEventListener("visibilitychange", onChange);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", onChange);
      void held?.release();
    };
  }, []);
}
