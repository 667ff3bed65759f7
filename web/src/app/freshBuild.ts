/** A page whose files cannot be had loads itself anew, once: after an update at once, offline when it is back. */
const KEY = "reloadedAt";
const ONCE_IN = 60_000;

export function reloadAfterUpdate(
  now: () => number = Date.now,
  reload: () => void = () => window.location.reload(),
): void {
  window.addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (now() - last < ONCE_IN) return; // Not an update: the page says what failed.
    event.preventDefault();
    const again = () => {
      sessionStorage.setItem(KEY, String(now()));
      reload();
    };
    if (navigator.onLine) again();
    else window.addEventListener("online", again, { once: true });
  });
}
