/** What local storage holds as JSON; null where there is nothing, or somebody wrote something else there. */
export function parseStored(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (reason) {
    if (reason instanceof SyntaxError) return null;
    throw reason;
  }
}

/** False where the browser has no room left, or keeps nothing for this page. */
export function storeText(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === "QuotaExceededError") return false;
    throw reason;
  }
}
