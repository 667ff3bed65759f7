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
  // The browser tells of its own network, not of a server that was away.
  const timer = setTimeout(run, NOW_AND_THEN);
  window.addEventListener("online", run);
  return stop;
}

/** What `load` brings, however often it must be asked. `onLate` hears that it did not come at first. */
export async function untilLoaded<T>(
  load: () => Promise<T>,
  onLate: () => void = () => undefined,
): Promise<T> {
  try {
    return await load();
  } catch {
    onLate(); // Told, and tried again.
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
