/** Store the client's files with a service worker, and switch to a new release while the page is idle. */
import { isUnsaved } from "@/shared/network";

const HOUR = 60 * 60_000;
const LOOKS_EVERY = 5_000;
/** Milliseconds without a touch after which the page is idle. */
const IDLE = 30_000;

/** The parts of the service worker API that are used here. */
interface Worker extends EventTarget {
  readonly state: ServiceWorkerState;
  postMessage: (message: string) => void;
}
interface Registration extends EventTarget {
  readonly waiting: Worker | null;
  readonly installing: Worker | null;
  update: () => Promise<unknown>;
}
interface Container extends EventTarget {
  readonly controller: object | null;
  register: (script: string) => Promise<Registration>;
}

interface Means {
  container: Container;
  reload?: () => void;
  now?: () => number;
}

export interface KeptShell {
  /** Check for a new release, because the server answers again and may have one. */
  update: () => void;
  end: () => void;
}

export function keepShell({
  container,
  reload = () => window.location.reload(),
  now = Date.now,
}: Means): KeptShell {
  const ends = new AbortController();
  const { signal } = ends;
  let touched = now();
  let due = false;
  let waiting: Worker | null = null;
  let registration: Registration | undefined;
  // Without a controller, the page is of the same release as the first worker: do not reload for that one.
  let kept = container.controller !== null;

  const touch = () => {
    touched = now();
  };
  for (const name of ["pointerdown", "keydown"]) {
    window.addEventListener(name, touch, { capture: true, signal });
  }
  // A new worker, started by any tab, no longer stores the old release's files: reload when idle.
  container.addEventListener(
    "controllerchange",
    () => {
      due = kept;
      kept = true;
    },
    { signal },
  );

  function look(): void {
    if (!document.hidden && now() - touched < IDLE) return;
    if (isBusy()) return;
    if (due) {
      due = false;
      reload();
    } else {
      waiting?.postMessage("take-over"); // oxlint-disable-line unicorn/require-post-message-target-origin -- a worker has none
    }
  }

  async function register(): Promise<void> {
    registration = await container.register("./sw.js");
    const found = registration;
    waiting = found.waiting;
    found.addEventListener(
      "updatefound",
      () => {
        const next = found.installing;
        next?.addEventListener(
          "statechange",
          () => {
            if (next.state === "installed" && kept) waiting = next;
          },
          { signal },
        );
      },
      { signal },
    );
  }

  // Ignore failures: without a server there is no release to find, and without a worker the page still works.
  const update = () => void registration?.update().catch(() => undefined);
  register().catch(() => undefined);
  const timers = [setInterval(look, LOOKS_EVERY), setInterval(update, HOUR)];
  signal.addEventListener("abort", () => timers.forEach((timer) => clearInterval(timer)));
  return { update, end: () => ends.abort() };
}

function isBusy(): boolean {
  return document.querySelector('[role="dialog"]') !== null || isUnsaved();
}
