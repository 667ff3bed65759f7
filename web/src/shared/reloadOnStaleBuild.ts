/** After an update the files of the build that a page was loaded with are gone: it is loaded anew, once. */
const KEY = "reloadedAt";
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
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if ((!byHand && now() - last < ONCE_IN) || !(await serverAnswers()) || isUnsaved()) return;
  sessionStorage.setItem(KEY, String(now()));
  reload();
}

async function serverAnswers(): Promise<boolean> {
  try {
    // Nothing that a browser keeps: its own files come without a server too.
    const { ok } = await fetch("/health/live", { cache: "no-store" });
    return ok;
  } catch {
    return false; // No answer: that is what was asked.
  }
}

/** Whether a form would ask before the page is left. */
function isUnsaved(): boolean {
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}
