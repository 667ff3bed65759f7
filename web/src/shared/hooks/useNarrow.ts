/** Whether the window is too narrow for a table: its rows become cards. */
import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 760px)";

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
}
