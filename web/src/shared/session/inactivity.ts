/**
 * Watch for ten minutes without mouse, key or touch in any tab, then count down ten seconds. See
 * infra/docs/rules.md#sessions. The last activity of any tab is a number in local storage, read when a timer fires.
 * Libraries send messages between tabs instead, which a slowed or frozen tab receives too late.
 */
import { ofBrowser } from "@/shared/stored";

/** The key of the time of the last activity in any tab, in milliseconds. */
const LAST = "lastActivity";
const TIMEOUT = 600_000;
const TICK = 1_000;
const STEP = 10;
const FULL = 100;
/** Milliseconds between the end of the countdown and the end of the session. */
const END_DELAY = 1_500;
/** Store the activity at most this often, in milliseconds, because mouse movements come by the dozen. */
const STORED_EVERY = 1_000;
/** Touches too: a finger on a tablet sends no mouse movements. */
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

  /** Cancel the countdown in every tab and start the ten minutes again, for the button "Permanecer Aquí". */
  stay(): void {
    this.#stored = Date.now();
    ofBrowser.setItem(LAST, String(this.#stored));
    this.#watch();
  }

  readonly #onActivity = (): void => {
    // During the countdown only the dialog's button counts as activity.
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
    // A background tab may get the storage event of another tab's activity too late.
    if (Date.now() - lastActivity() < TIMEOUT) {
      this.#watch();
      return;
    }
    this.#countingSince = Date.now();
    this.#change({ phase: "counting", progress: 0 });
    this.#timer = setTimeout(this.#onTick, TICK);
  };

  readonly #onTick = (): void => {
    // Count by the clock, not by ticks: a slowed tab must not stay open longer.
    const seconds = Math.floor((Date.now() - this.#countingSince) / TICK);
    if (seconds * STEP >= FULL) {
      this.#change({ phase: "leaving" });
      this.#timer = setTimeout(this.#onEnd, END_DELAY);
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

/** Record activity, which every tab reads. */
export function noteActivity(): void {
  ofBrowser.setItem(LAST, String(Date.now()));
}

function lastActivity(): number {
  return Number(ofBrowser.getItem(LAST)) || 0;
}
