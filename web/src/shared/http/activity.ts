/**
 * The loading flag of the client. It is on while a call runs that the user waits for. See
 * infra/docs/rules.md#screens.
 */
import { external } from "@/shared/external";

const running = external(0);

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

/** Run `work` without a spinner for the calls that it makes before its first `await`. */
export function quietly<T>(work: () => T): T {
  return as(true, work);
}

/** Show the spinner even inside `quietly()`. */
export function aloud<T>(work: () => T): T {
  return as(false, work);
}

/** Whether a call made now shows no spinner. */
export function isQuiet(): boolean {
  return quiet;
}

/**
 * Return a function that runs later work with or without a spinner, as it is now. Use it for work
 * that continues after an `await`.
 */
export function asQuietAsNow(): <T>(work: () => T) => T {
  return quiet ? quietly : (work) => work();
}

export function useLoading(): boolean {
  return running.use((count) => count > 0);
}
