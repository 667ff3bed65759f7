/** Retry loads that failed: when the browser reports that the network is back, and every 5 s. */
import { ofTab } from "@/shared/stored";

const RETRY_AFTER = 5_000;

/** Call `work` once, when the network is back or after 5 s. The returned function cancels it. */
export function whenBack(work: () => void): () => void {
  function stop() {
    clearTimeout(timer);
    window.removeEventListener("online", run);
  }
  function run() {
    stop();
    work();
  }
  // A timer too: the browser reports its own network, not whether the server answers.
  const timer = setTimeout(run, RETRY_AFTER);
  window.addEventListener("online", run);
  return stop;
}

/** Whether the server answers within 5 s. */
export async function serverAnswers(): Promise<boolean> {
  try {
    // An uncached path: cached files load without a server too.
    const { ok } = await fetch("/health/live", {
      cache: "no-store",
      signal: AbortSignal.timeout(RETRY_AFTER),
    });
    return ok;
  } catch {
    return false;
  }
}

/** Call `load` until it resolves. `onLate` runs after the first failure. */
export async function untilLoaded<T>(
  load: () => Promise<T>,
  onLate: () => void = () => undefined,
): Promise<T> {
  try {
    return await load();
  } catch {
    onLate();
    await new Promise<void>((resolve) => {
      whenBack(resolve);
    });
    return untilLoaded(load);
  }
}

/** Style sheets that failed to load. The build's loader requests each only once. */
const missing = new Set<HTMLLinkElement>();

document.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") missing.add(target);
  },
  { capture: true },
);

/** Load every failed style sheet again. Rejects if one fails again. */
export async function loadMissingStyles(): Promise<void> {
  await Promise.all([...missing].map(loadAgain));
}

function loadAgain(gone: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = gone.cloneNode() as HTMLLinkElement;
    missing.delete(gone);
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => reject(new Error(`No ${link.href}.`)));
    gone.replaceWith(link);
  });
}

/**
 * The key of the time of the last reload. After an update the files of the old build are gone, so
 * the page reloads once.
 */
const RELOADED_AT = "reloadedAt";
const MIN_GAP = 60_000;

interface Means {
  /** The user asked for the reload, so the limit of once a minute does not apply. */
  byHand?: boolean;
  now?: () => number;
  reload?: () => void;
}

/**
 * Reload the application after a page's code failed to load, because its build may be gone. Only if the server answers,
 * at most once a minute unless `byHand`, and never over unsaved input.
 */
export async function reloadOnStaleBuild({
  byHand = false,
  now = Date.now,
  reload = () => window.location.reload(),
}: Means = {}): Promise<void> {
  const last = Number(ofTab.getItem(RELOADED_AT) ?? 0);
  if ((!byHand && now() - last < MIN_GAP) || !(await serverAnswers()) || isUnsaved()) return;
  ofTab.setItem(RELOADED_AT, String(now()));
  reload();
}

/** Whether the page has unsaved input: a form would ask before the user leaves. */
export function isUnsaved(): boolean {
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}
