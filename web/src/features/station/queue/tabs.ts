/**
 * Coordinate the tabs of one browser: do work in one tab at a time, and notify the others of
 * changes.
 */
export class Tabs {
  readonly #name: string;
  readonly #channel: BroadcastChannel;

  /**
   * `name`: the name of the lock and of the channel. `onChange`: called when another tab has
   * changed something.
   */
  constructor(name: string, onChange: () => void) {
    this.#name = name;
    this.#channel = new BroadcastChannel(name);
    this.#channel.addEventListener("message", onChange);
  }

  close(): void {
    this.#channel.close();
  }

  notify(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    this.#channel.postMessage("changed");
  }

  /**
   * Do the work in one tab at a time. If the browser has no locks, only the idempotency keys keep
   * two tabs from doing it twice.
   */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const { locks } = navigator as { locks?: LockManager };
    return locks === undefined ? work() : locks.request(this.#name, work);
  }

  /** Do the work unless another tab is working. Returns whether it was done. */
  async ifFree(work: () => Promise<void>): Promise<boolean> {
    const { locks } = navigator as { locks?: LockManager };
    const unlessTaken = async (lock: unknown) => {
      if (lock !== null) await work();
      return lock !== null;
    };
    return locks === undefined
      ? unlessTaken(undefined)
      : locks.request(this.#name, { ifAvailable: true }, unlessTaken);
  }
}
