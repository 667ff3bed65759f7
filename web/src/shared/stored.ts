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

/** Store a text; false if the browser has no room left, or stores nothing for this page. */
export function storeText(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === "QuotaExceededError") return false;
    throw reason;
  }
}
