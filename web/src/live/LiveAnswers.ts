/**
 * Apply events to the cached answers, and reload the answers that they made stale. An answer is
 * reloaded at most every 25 s on average, a report at most every 100 s; two reloads may follow each
 * other directly. Nothing is reloaded while the page is hidden.
 */
import { unstable_serialize, type Cache, type ScopedMutator } from "swr";
import type { LiveEvent } from "@/contract";
import { isKey, REPORT, TODAY, type Covers, type Key } from "@/shared/http/keys";
import { cacheUse } from "@/shared/http/copy";
import { put, renumber, view } from "@/shared/http/store";
import { applicationOf } from "./apply";

const BETWEEN_LOADS = 25_000;
/** Milliseconds. Together, the four reports of the dashboard load as often as one list. */
const BETWEEN_REPORTS = 4 * BETWEEN_LOADS;
/** Milliseconds of delay per screen: screens that receive the same event must not all reload at once. */
const EACH_SCREEN = 20;
const LEAST_SPREAD = 300;
/** Milliseconds to wait for the event of an own write before its answers are loaded without it. */
const EVENT_COMES = 1_000;

/**
 * The average milliseconds between two loads of an answer, at the most frequent. `TODAY` counts as
 * a list, not as a report.
 */
function between([path]: Key): number {
  return path.startsWith(`${REPORT}/`) && path !== TODAY ? BETWEEN_REPORTS : BETWEEN_LOADS;
}

export class LiveAnswers {
  readonly #cache: Cache;
  readonly #mutate: ScopedMutator;
  readonly #random: () => number;
  /**
   * When the next load of each answer is due. One load may come earlier, so that a second change is
   * shown at once too.
   */
  readonly #due = new Map<string, number>();
  readonly #planned = new Map<string, ReturnType<typeof setTimeout>>();
  /** Answers that an own write changed, and whose event has not come yet. */
  readonly #awaited = new Map<string, ReturnType<typeof setTimeout>>();
  /** Answers that were due to be loaded while the page was hidden. */
  readonly #unseen = new Map<string, Key>();
  #screens = 1;
  #everything: ReturnType<typeof setTimeout> | undefined;

  constructor(cache: Cache, mutate: ScopedMutator, random: () => number = Math.random) {
    this.#cache = cache;
    this.#mutate = mutate;
    this.#random = random;
  }

  /** Set how many screens receive the same events as this one. */
  shareWith(screens: number): void {
    this.#screens = screens;
  }

  #spread(): number {
    const spread = Math.min(BETWEEN_LOADS, this.#screens * EACH_SCREEN);
    return this.#random() * Math.max(LEAST_SPREAD, spread);
  }

  /**
   * `past`: events from before the page was live. The answers that they make stale are loaded
   * besides those that the pace allows, since most of them contain the change already.
   */
  apply(events: readonly LiveEvent[], past = false): void {
    const applications = events.map(applicationOf);
    put(applications.flatMap(({ documents = [] }) => documents));
    for (const key of this.#keys()) {
      for (const { lists = [], stale = [] } of applications) {
        for (const { covers, change } of lists) if (covers(key)) this.#change(key, change);
        if (stale.some((covers) => covers(key))) this.#follow(key, past);
      }
    }
  }

  #change(key: Key, change: (kept: unknown) => unknown): void {
    const state = this.#cache.get(unstable_serialize(key));
    if (state?.isValidating === true) {
      // A mutation would make SWR drop the answer that is being loaded, which may be older than the
      // event. So reload later.
      this.#plan(key);
      return;
    }
    if (state?.data === undefined) return;
    const kept: unknown = view(state.data);
    const next = change(kept);
    if (next !== kept) void this.#mutate(key, next, { revalidate: false });
  }

  /** Load the answers that an own write changed: as soon as its event has come. */
  afterWrite(covers: Covers): void {
    for (const key of this.#keys()) {
      if (!covers(key)) continue;
      const name = unstable_serialize(key);
      cacheUse(this.#cache).fresh.delete(name);
      clearTimeout(this.#awaited.get(name));
      if (this.#planned.has(name)) this.#loadNow(name, key);
      else
        this.#awaited.set(
          name,
          setTimeout(() => this.#loadNow(name, key), EVENT_COMES),
        );
    }
  }

  #follow(key: Key, past: boolean): void {
    const name = unstable_serialize(key);
    cacheUse(this.#cache).fresh.delete(name);
    if (this.#awaited.has(name)) this.#loadNow(name, key);
    else this.#plan(key, past);
  }

  #loadNow(name: string, key: Key): void {
    for (const timers of [this.#awaited, this.#planned]) {
      clearTimeout(timers.get(name));
      timers.delete(name);
    }
    this.#load(name, key);
  }

  #plan(key: Key, past = false): void {
    const name = unstable_serialize(key);
    if (this.#planned.has(name)) return;
    const now = Date.now();
    const earliest = Math.max(now, (this.#due.get(name) ?? 0) - between(key));
    const load = () => {
      this.#planned.delete(name);
      if (document.hidden) this.#unseen.set(name, key);
      else this.#load(name, key, past);
    };
    this.#planned.set(name, setTimeout(load, earliest - now + this.#spread()));
  }

  #load(name: string, key: Key, past = false): void {
    // An answer that left the cache is loaded by SWR when a page shows it again.
    if (this.#cache.get(name) === undefined) return;
    if (!past) this.#due.set(name, Math.max(Date.now(), this.#due.get(name) ?? 0) + between(key));
    void this.#mutate(key);
  }

  /** Load the answers that were due while the page was hidden. */
  wake(): void {
    for (const [name, key] of this.#unseen) this.#load(name, key);
    this.#unseen.clear();
  }

  /**
   * Reload every answer after `first` has settled. Wait a random time before, because all screens
   * may reload at the same time.
   */
  reloadAll(first: () => Promise<unknown> = async () => undefined): void {
    clearTimeout(this.#everything);
    const turn = setTimeout(() => {
      void first().finally(() => {
        // The session may have ended in the meantime, and its answers are gone.
        if (this.#everything !== turn) return undefined;
        this.#everything = undefined;
        cacheUse(this.#cache).fresh.clear();
        renumber();
        return this.#mutate(() => true);
      });
    }, this.#spread());
    this.#everything = turn;
  }

  /** Whether an answer is due to be loaded again. */
  isDue(name: string): boolean {
    const waiting = [this.#awaited, this.#planned, this.#unseen];
    return this.#everything !== undefined || waiting.some((each) => each.has(name));
  }

  stop(): void {
    for (const timers of [this.#awaited, this.#planned]) {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    }
    clearTimeout(this.#everything);
    this.#everything = undefined;
  }

  #keys(): Key[] {
    const keys: Key[] = [];
    void this.#mutate((key) => {
      if (isKey(key)) keys.push(key);
      return false;
    });
    return keys;
  }
}
