/** What could not be had is asked for again: when the browser says that the network is back, and now and then. */
const NOW_AND_THEN = 5_000;

/** Calls `work` once, then; answers how to call it off. */
export function whenBack(work: () => void): () => void {
  function stop() {
    clearTimeout(timer);
    window.removeEventListener("online", run);
  }
  function run() {
    stop();
    work();
  }
  // The browser knows of its own network, not of a server that was away.
  const timer = setTimeout(run, NOW_AND_THEN);
  window.addEventListener("online", run);
  return stop;
}

/** Whether the server answers within a few seconds. */
export async function serverAnswers(): Promise<boolean> {
  try {
    // Nothing that a browser keeps: its own files come without a server too.
    const { ok } = await fetch("/health/live", {
      cache: "no-store",
      signal: AbortSignal.timeout(NOW_AND_THEN),
    });
    return ok;
  } catch {
    return false; // No answer: that is what was asked.
  }
}

/** What `load` brings, however often it must be asked. `onLate` is called where it did not come at first. */
export async function untilLoaded<T>(
  load: () => Promise<T>,
  onLate: () => void = () => undefined,
): Promise<T> {
  try {
    return await load();
  } catch {
    onLate(); // The screen says so, and it is tried again.
    await new Promise<void>((resolve) => {
      whenBack(resolve);
    });
    return untilLoaded(load);
  }
}

/** Style sheets that did not come. A build's loader asks for each only once. */
const missing = new Set<HTMLLinkElement>();

document.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") missing.add(target);
  },
  { capture: true },
);

/** Asks again for every style sheet that did not come; rejects where one still does not. */
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

/** After an update the files of the build that a page was loaded with are gone: it is loaded anew, once. */
const RELOADED_AT = "reloadedAt";
const ONCE_IN = 60_000;

interface Means {
  /** The person asks for it, however often. */
  byHand?: boolean;
  now?: () => number;
  reload?: () => void;
}

/**
 * For a page whose code could not be had. Loads the application anew where the server answers, so that the network is
 * not what is missing; never by itself twice within a minute, and never over something typed that is not saved.
 */
export async function reloadOnStaleBuild({
  byHand = false,
  now = Date.now,
  reload = () => window.location.reload(),
}: Means = {}): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if ((!byHand && now() - last < ONCE_IN) || !(await serverAnswers()) || isUnsaved()) return;
  sessionStorage.setItem(RELOADED_AT, String(now()));
  reload();
}

/** Whether a form would ask before the page is left. */
export function isUnsaved(): boolean {
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}
