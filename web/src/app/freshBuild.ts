/** A page that stayed open over an update asks for files that are gone: it loads itself anew, once. */
const KEY = "reloadedAt";
const ONCE_IN = 60_000;

export function reloadAfterUpdate(now: () => number = Date.now): void {
  window.addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (now() - last < ONCE_IN) return; // Not an update: the page says what failed.
    event.preventDefault();
    sessionStorage.setItem(KEY, String(now()));
    window.location.reload();
  });
}
