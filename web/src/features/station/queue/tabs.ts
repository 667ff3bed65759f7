/** The tabs of one browser: they do a thing one at a time, and notify each other of changes. */
export class Tabs {
  readonly #name: string;
  readonly #channel: BroadcastChannel;

  /** `name` is that of the lock and of the channel; `onChange` is called when another tab has changed something. */
  constructor(name: string, onChange: () => void) {
    this.#name = name;
    this.#channel = new BroadcastChannel(name);
    this.#channel.addEventListener("message", onChange);
  }

  close(): void {
    this.#channel.close();
  }

  /** Says to the other tabs that something has changed. */
  notify(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    this.#channel.postMessage("changed");
  }

  /** One tab at a time. Where the browser has no locks, the idempotency keys alone keep two tabs from doing it twice. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const { locks } = navigator as { locks?: LockManager };
    return locks === undefined ? work() : locks.request(this.#name, work);
  }

  /** Does it unless another tab is at work. Returns whether it did. */
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
