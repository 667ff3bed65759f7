/**
 * Ten minutes without mouse or keys, then ten seconds to answer, in all tabs at once. See infra/docs/rules.md#sessions.
 * The last activity of any tab is one number in local storage, read when it matters. Libraries send messages between
 * tabs, which a slowed or frozen tab hears too late.
 */

/** When somebody last did something in any tab, in milliseconds. */
const LAST = "lastActivity";
const TIMEOUT = 600_000;
const TICK = 1_000;
const STEP = 10;
const FULL = 100;
/** Between the end of the countdown and the end of the session. */
const PARTING = 1_500;
/** Movements come by the dozen: the other tabs are notified of them this often. */
const STORED_EVERY = 1_000;
/** A finger on a shop-floor tablet moves no mouse. */
const ACTIVITY = ["mousemove", "keydown", "touchstart"] as const;

export type Countdown = { phase: "watching" | "leaving" } | { phase: "counting"; progress: number };

const WATCHING: Countdown = { phase: "watching" };

export class InactivityWatch {
  readonly #onEnd: () => void;
  readonly #listeners = new Set<() => void>();
  #now: Countdown = WATCHING;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stored = 0;
  #countingSince = 0;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get now(): Countdown {
    return this.#now;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    for (const name of ACTIVITY) {
      document.addEventListener(name, this.#onActivity, { capture: true, passive: true });
    }
    window.addEventListener("storage", this.#onStorage);
    this.stay();
  }

  stop(): void {
    for (const name of ACTIVITY) {
      document.removeEventListener(name, this.#onActivity, { capture: true });
    }
    window.removeEventListener("storage", this.#onStorage);
    clearTimeout(this.#timer);
  }

  /** "Permanecer Aquí": cancels the countdown in every tab; the ten minutes begin anew. */
  stay(): void {
    this.#stored = Date.now();
    localStorage.setItem(LAST, String(this.#stored));
    this.#watch();
  }

  readonly #onActivity = (): void => {
    // Once the question stands there, only its button answers it.
    if (this.#now.phase !== "watching" || Date.now() - this.#stored < STORED_EVERY) return;
    this.stay();
  };

  readonly #onStorage = (event: StorageEvent): void => {
    if (event.key === LAST && event.newValue !== null) this.#watch();
  };

  #watch(): void {
    this.#change(WATCHING);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onQuiet, Math.max(0, lastActivity() + TIMEOUT - Date.now()));
  }

  readonly #onQuiet = (): void => {
    // A tab in the background may be notified late of what was done in another one.
    if (Date.now() - lastActivity() < TIMEOUT) {
      this.#watch();
      return;
    }
    this.#countingSince = Date.now();
    this.#change({ phase: "counting", progress: 0 });
    this.#timer = setTimeout(this.#onTick, TICK);
  };

  readonly #onTick = (): void => {
    // By the clock, not by ticks: a slowed tab must not be open for longer.
    const seconds = Math.floor((Date.now() - this.#countingSince) / TICK);
    if (seconds * STEP >= FULL) {
      this.#change({ phase: "leaving" });
      this.#timer = setTimeout(this.#onEnd, PARTING);
      return;
    }
    this.#change({ phase: "counting", progress: seconds * STEP });
    this.#timer = setTimeout(this.#onTick, TICK);
  };

  #change(next: Countdown): void {
    if (next === this.#now) return;
    this.#now = next;
    for (const listener of this.#listeners) listener();
  }
}

/** Says to every tab that somebody is there. */
export function noteActivity(): void {
  localStorage.setItem(LAST, String(Date.now()));
}

function lastActivity(): number {
  return Number(localStorage.getItem(LAST)) || 0;
}
