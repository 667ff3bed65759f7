/** Parse JSON from local storage; null if there is none or it is invalid. */
export function parseStored(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (reason) {
    if (reason instanceof SyntaxError) return null;
    throw reason;
  }
}

type Place = "localStorage" | "sessionStorage";

/** The browser's storage; null where it is blocked, as in the browsers of some apps. */
export function storageOf(place: Place): Storage | null {
  try {
    return globalThis[place] ?? null;
  } catch {
    return null; // a SecurityError
  }
}

/** A storage of the browser. Where it is blocked or full, memory takes its place until the page is left. */
function stored(place: Place) {
  const memory = new Map<string, string>();
  return {
    getItem: (key: string): string | null =>
      memory.get(key) ?? storageOf(place)?.getItem(key) ?? null,
    /** Returns false if only memory holds the text. */
    setItem(key: string, text: string): boolean {
      try {
        storageOf(place)!.setItem(key, text);
        memory.delete(key);
        return true;
      } catch {
        memory.set(key, text); // blocked, or full
        return false;
      }
    },
    removeItem(key: string): void {
      memory.delete(key);
      storageOf(place)?.removeItem(key);
    },
  };
}

/** What all tabs of this browser keep. */
export const ofBrowser = stored("localStorage");
/** What this tab keeps until it is closed. */
export const ofTab = stored("sessionStorage");

/** Whether this browser keeps nothing for the page. */
export const keepsNothing = () => storageOf("localStorage") === null;
