/** Has the browser keep the client's files, and takes a new release up when nobody is in the middle of something. */
import { isUnsaved } from "@/shared/network";

const HOUR = 60 * 60_000;
const LOOKS_EVERY = 5_000;
/** Nobody touched the page for so long. */
const IDLE = 30_000;

/** What is used of the browser's service workers. */
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
  /** Asks whether there is a new release: the server is back, and may have another one. */
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
  // Where no worker stood before, the page is of the release that the first one keeps, and is its from then on.
  let kept = container.controller !== null;

  const touch = () => {
    touched = now();
  };
  for (const name of ["pointerdown", "keydown"]) {
    window.addEventListener(name, touch, { capture: true, signal });
  }
  // A worker that took over, in whichever tab that was decided, no longer keeps the files of before.
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

  // Without a server nothing new is to be had; without leave to keep files the page works as it did.
  const update = () => void registration?.update().catch(() => undefined);
  register().catch(() => undefined);
  const timers = [setInterval(look, LOOKS_EVERY), setInterval(update, HOUR)];
  signal.addEventListener("abort", () => timers.forEach((timer) => clearInterval(timer)));
  return { update, end: () => ends.abort() };
}

/** Something stands open, or is typed and not saved. */
function isBusy(): boolean {
  return document.querySelector('[role="dialog"]') !== null || isUnsaved();
}
