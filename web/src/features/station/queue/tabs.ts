/** The tabs of one browser: they do a thing one at a time, and tell each other that something has changed. */
export class Tabs {
  readonly #name: string;
  readonly #channel: BroadcastChannel;

  /** `name` is that of the lock and of the channel; `hear` is called when another tab tells of a change. */
  constructor(name: string, hear: () => void) {
    this.#name = name;
    this.#channel = new BroadcastChannel(name);
    this.#channel.addEventListener("message", hear);
  }

  close(): void {
    this.#channel.close();
  }

  tell(): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    this.#channel.postMessage("changed");
  }

  /** One tab at a time. Where the browser has no locks, the idempotency keys alone keep two tabs from doing it twice. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const { locks } = navigator as { locks?: LockManager };
    return locks === undefined ? work() : locks.request(this.#name, work);
  }

  /** Does it where no other tab does anything now. False where one does. */
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
