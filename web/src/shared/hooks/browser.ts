/** Hooks for the browser and React: width, time, focus, a pause in typing, wake lock, stable functions. */
import {
  useCallback,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { WIDTHS } from "@/shared/theme/widths";

const NARROW = `(max-width: ${WIDTHS.phone}px)`;
const HAND = `(max-width: ${WIDTHS.hand}px), (pointer: coarse)`;

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

/** Whether the window is at most as wide as a phone's, so that a drawer fills it. */
export const useNarrow = (): boolean => useMedia(NARROW);

/** Whether the screen is a touch screen or at most a tablet's width: lists are cards, and buttons are large. */
export const useHand = (): boolean => useMedia(HAND);

export const isHand = (): boolean => window.matchMedia(HAND).matches;

/** The current time, updated every `every` milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

const PAUSE = 200;

/** The text after the user has stopped typing for 200 ms, for searches on the server. An empty text is immediate. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), text === "" ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

const FOCUSABLE = "button:not(:disabled), a[href], [tabindex='0']";

/** Return an element and its ancestors below the body, innermost first. */
function placesOf(element: Element | null): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at = element; at instanceof HTMLElement && at !== document.body; at = at.parentElement) {
    places.push(at);
  }
  return places;
}

/**
 * Return the innermost element if it is still there, else the first focusable element near its
 * place.
 */
function nearest([opener, ...around]: readonly HTMLElement[]): HTMLElement | undefined {
  if (opener?.isConnected === true) return opener;
  return around
    .filter(({ isConnected }) => isConnected)
    .map((place) => place.querySelector<HTMLElement>(FOCUSABLE))
    .find((found) => found !== null);
}

/**
 * On unmount, return the focus to the element that had it on mount, such as the button that opened
 * a dialog. If that element is gone, focus the row of this record in the list, else an element near the former place.
 */
export function useFocusBack(recordId?: number): void {
  const [places] = useState(() => placesOf(document.activeElement));
  useEffect(
    () => () => {
      // Wait a frame: the dialog releases the focus when it closes.
      requestAnimationFrame(() => {
        const lost = document.activeElement === null || document.activeElement === document.body;
        if (!lost) return;
        const row =
          recordId !== undefined && places[0]?.isConnected !== true
            ? document.querySelector<HTMLElement>(`main tr[data-row-key="${recordId}"]`)
            : null;
        (row ?? nearest(places))?.focus();
      });
    },
    [places, recordId],
  );
}

/**
 * Return a function that keeps its identity and calls the newest render's `work`: for handlers of memoized rows and for
 * timers. It must not be called during a render. For effects alone, use React's `useEffectEvent`.
 */
export function useStable<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  const newest = useRef(work);
  // Runs before every other effect, the children's too, because any of them may call the function.
  useInsertionEffect(() => {
    newest.current = work;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}

/** Keep the screen on while the page is visible. The browser releases the lock whenever the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    // Only pages loaded by https have a wake lock.
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
        held = null; // The browser may refuse the lock, for example on a low battery.
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
