/** What a page asks of the browser: how wide it is, what time it is, whether typing has paused, where the focus was. */
import { useEffect, useState, useSyncExternalStore } from "react";

const NARROW = "(max-width: 760px)";

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** Whether the window is too narrow for a table: its rows become cards. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
}

/** The time, told again every so many milliseconds. */
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
