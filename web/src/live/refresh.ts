/** Brings a batch of events into the SWR cache: each key is drawn once, and loaded again at most every now and then. */
import { unstable_serialize, type Cache, type ScopedMutator } from "swr";
import type { LiveEvent } from "@/contract";
import { isKey } from "@/shared/http/data";
import type { Key } from "@/shared/http/keys";
import { applicationsOf, type Application, type Pace } from "./apply";

/** A busy shop floor moves twenty lines a second: the least time between two loads of one key there. */
const LEAST_TIME: Record<Pace, number> = {
  soon: 2_000,
  calm: 45_000,
  slow: 150_000,
  later: 600_000,
};
/** How long a load waits for more events, which show whether the first one was the only one of a quiet shop. */
const LISTEN: Record<Pace, number> = { soon: 0, calm: 1_000, slow: 2_000, later: 0 };
/** Many screens receive an event in the same instant and must not ask in the same instant: so much for each of them. */
const SPREAD_OF_EACH_SCREEN: Record<Pace, number> = { soon: 2, calm: 150, slow: 150, later: 60 };
const LEAST_SPREAD: Record<Pace, number> = { soon: 300, calm: 2_000, slow: 3_000, later: 60_000 };
/** In a quiet shop a change is seen at once: so much of the least time is for each event that came lately. */
const LEAST_TIME_OF_EACH_EVENT = 2_000;
/** After so long an event counts half. */
const LATELY = 30_000;
/** How often it is looked whether an answer is there that an event waits for. */
const BETWEEN_LOOKS = 50;

interface Planned {
  due: number;
  /** Where in the spread it lies, drawn once: if each event drew anew, the earliest would win and all screens would ask at once. */
  place: number;
  timer: ReturnType<typeof setTimeout>;
}

export class CacheUpdater {
  readonly #cache: Cache;
  readonly #mutate: ScopedMutator;
  readonly #random: () => number;
  /** Whoever opens a page has just loaded it. */
  readonly #opened = Date.now();
  readonly #lastReload = new Map<string, number>();
  #screens = 1;
  /** How many events came lately, as of `at`. */
  #received = { count: 0, at: 0 };
  readonly #planned = new Map<string, Planned>();
  /** Due while nobody looked at the page. */
  readonly #unseen = new Map<string, Key>();
  /** What came while a key was being loaded. */
  readonly #waiting = new Map<string, { key: Key; applications: readonly Application[] }>();
  #looking: ReturnType<typeof setTimeout> | undefined;

  constructor(cache: Cache, mutate: ScopedMutator, random: () => number = Math.random) {
    this.#cache = cache;
    this.#mutate = mutate;
    this.#random = random;
  }

  apply(events: readonly LiveEvent[]): void {
    const at = Date.now();
    this.#received = { count: this.#receivedLately(at) + events.length, at };
    const applications = events.flatMap(applicationsOf);
    for (const key of this.#keys()) {
      const mine = applications.filter((effect) => effect.covers(key));
      if (mine.length > 0) this.#update(key, mine);
    }
  }

  #update(key: Key, covering: readonly Application[]): void {
    const name = unstable_serialize(key);
    const held = this.#cache.get(name);
    if (held?.isValidating === true) {
      // The answer under way may be older than the event, and SWR would drop it for a patch: the event waits for it.
      this.#waiting.set(name, { key, applications: [...this.#waitingFor(name), ...covering] });
      this.#look();
      return;
    }
    if (held?.data === undefined) return;
    const applications = covering.filter(
      ({ concerns }) => concerns === undefined || concerns(held.data),
    );
    let { data } = held;
    for (const { draw } of applications) if (draw) data = draw(data);
    if (data !== held.data) void this.#mutate(key, data, { revalidate: false });
    for (const { reload } of applications) if (reload !== undefined) this.#reload(key, reload);
  }

  #waitingFor(name: string): readonly Application[] {
    return this.#waiting.get(name)?.applications ?? [];
  }

  /** Applies what waited for answers that are there by now, until nothing waits. */
  #look(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      for (const [name, { key, applications }] of this.#waiting) {
        if (this.#cache.get(name)?.isValidating === true) continue;
        this.#waiting.delete(name);
        this.#update(key, applications);
      }
      if (this.#waiting.size > 0) this.#look();
    }, BETWEEN_LOOKS);
  }

  #receivedLately(now: number): number {
    return this.#received.count * 0.5 ** ((now - this.#received.at) / LATELY);
  }

  /** The least time at this pace, as busy as the shop is. A mere check is never quicker. */
  #leastTime(pace: Pace, now: number): number {
    if (pace === "later") return LEAST_TIME.later;
    const busy = LEAST_TIME_OF_EACH_EVENT * this.#receivedLately(now);
    return Math.min(LEAST_TIME[pace], Math.max(LEAST_TIME.soon, busy));
  }

  /** How many screens receive what this one receives. */
  shareWith(screens: number): void {
    this.#screens = screens;
  }

  /** The quickest pace asked for wins. */
  #reload(key: Key, pace: Pace): void {
    const name = unstable_serialize(key);
    const now = Date.now();
    const planned = this.#planned.get(name);
    const place = planned?.place ?? this.#random();
    const earliest = Math.max(now + LISTEN[pace], this.#earliest(name, pace, now));
    const due = earliest + place * this.#spread(pace);
    if (planned !== undefined && planned.due <= due) return;
    clearTimeout(planned?.timer);
    this.#plan(name, key, pace, { due, place });
  }

  #plan(name: string, key: Key, pace: Pace, { due, place }: Omit<Planned, "timer">): void {
    const timer = setTimeout(() => this.#reloadIfRested(name, key, pace, place), due - Date.now());
    this.#planned.set(name, { due, place, timer });
  }

  /** The shop may have become busy since the load was planned. */
  #reloadIfRested(name: string, key: Key, pace: Pace, place: number): void {
    const now = Date.now();
    const earliest = this.#earliest(name, pace, now);
    if (earliest > now) {
      this.#plan(name, key, pace, { due: earliest + place * this.#spread(pace), place });
      return;
    }
    this.#planned.delete(name);
    if (document.hidden) this.#unseen.set(name, key);
    else this.#load(name, key);
  }

  #earliest(name: string, pace: Pace, now: number): number {
    // What is drawn and only checked "later" has no first load to catch up with.
    const first = { soon: 0, calm: this.#opened, slow: this.#opened, later: now }[pace];
    return (this.#lastReload.get(name) ?? first) + this.#leastTime(pace, now);
  }

  #spread(pace: Pace): number {
    return Math.max(LEAST_SPREAD[pace], this.#screens * SPREAD_OF_EACH_SCREEN[pace]);
  }

  #load(name: string, key: Key): void {
    this.#lastReload.set(name, Date.now());
    void this.#mutate(key);
  }

  /** The page is looked at again: what was due meanwhile is loaded now. */
  wake(): void {
    for (const [name, key] of this.#unseen) this.#load(name, key);
    this.#unseen.clear();
  }

  /** Everything on screen is loaded afresh. */
  reloadAll(): void {
    void this.#mutate(() => true);
  }

  stop(): void {
    for (const { timer } of this.#planned.values()) clearTimeout(timer);
    this.#planned.clear();
    clearTimeout(this.#looking);
    this.#waiting.clear();
  }

  #keys(): Key[] {
    const found: Key[] = [];
    void this.#mutate((key) => {
      if (isKey(key)) found.push(key);
      return false;
    });
    return found;
  }
}
