/** The one loading flag: on while a call runs that the person waits for. See infra/docs/rules.md#screens. */
import { external } from "@/shared/external";

const running = external(0);

/** Calls to an address with `/read` in it never show the spinner. */
export function isSilent(url: string): boolean {
  return url.includes("/read");
}

export async function whileLoading<T>(work: () => Promise<T>): Promise<T> {
  running.set(running.get() + 1);
  try {
    return await work();
  } finally {
    running.set(running.get() - 1);
  }
}

let quiet = false;

function as<T>(now: boolean, work: () => T): T {
  const before = quiet;
  quiet = now;
  try {
    return work();
  } finally {
    quiet = before;
  }
}

/** Calls that `work` makes before it first waits are nobody's wait: they show no spinner. */
export function quietly<T>(work: () => T): T {
  return as(true, work);
}

/** Somebody waits for them, though they are made within what is nobody's wait. */
export function aloud<T>(work: () => T): T {
  return as(false, work);
}

/** Whether a call that is made now is nobody's wait. */
export function isQuiet(): boolean {
  return quiet;
}

/** Runs later calls as quietly as one made now: for work that goes on after it waited. */
export function asQuietAsNow(): <T>(work: () => T) => T {
  return quiet ? quietly : (work) => work();
}

export function useLoading(): boolean {
  return running.use((count) => count > 0);
}
