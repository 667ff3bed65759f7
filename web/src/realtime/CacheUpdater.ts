/** Brings a batch of events into the SWR cache: each key is drawn once, and loaded again at most every now and then. */
import { unstable_serialize, type Cache, type ScopedMutator } from "swr";
import type { LiveEvent } from "@/contract";
import type { Key } from "@/shared/keys";
import { effectsOf, type Pace } from "./stale";

/** A busy shop floor moves twenty lines a second: the least time between two loads of one key. */
const LEAST_TIME: Record<Pace, number> = { soon: 2_000, calm: 30_000, later: 600_000 };
/** A thousand screens hear an event in the same instant and must not ask in the same instant. */
const SPREAD: Record<Pace, number> = { soon: 300, calm: 3_000, later: 60_000 };

interface Planned {
  due: number;
  timer: ReturnType<typeof setTimeout>;
}

export class CacheUpdater {
  readonly #cache: Cache;
  readonly #mutate: ScopedMutator;
  readonly #random: () => number;
  readonly #lastReload = new Map<string, number>();
  readonly #planned = new Map<string, Planned>();
  /** Due while nobody looked at the page. */
  readonly #unseen = new Map<string, Key>();

  constructor(cache: Cache, mutate: ScopedMutator, random: () => number = Math.random) {
    this.#cache = cache;
    this.#mutate = mutate;
    this.#random = random;
  }

  apply(events: readonly LiveEvent[]): void {
    const effects = events.flatMap(effectsOf);
    for (const key of this.#keys()) {
      const mine = effects.filter((effect) => effect.covers(key));
      if (mine.length > 0) this.#update(key, mine);
    }
  }

  #update(key: Key, covering: ReturnType<typeof effectsOf>): void {
    const held = this.#cache.get(unstable_serialize(key));
    const loading = held?.data === undefined || held.isValidating === true;
    const effects = covering.filter(
      ({ concerns }) => loading || concerns === undefined || concerns(held.data as never),
    );
    if (effects.length === 0) return;
    if (held?.data !== undefined) {
      let data: unknown = held.data;
      for (const { patch } of effects) if (patch) data = patch(data as never);
      if (data !== held.data) void this.#mutate(key, data, { revalidate: false });
    }
    const paces = effects.flatMap(({ reload }) => reload ?? []);
    // An answer that was under way may be older than the event, and SWR drops it after a patch.
    if (loading) paces.push("soon");
    for (const pace of paces) this.#reload(key, pace);
  }

  /** The quickest pace asked for wins. */
  #reload(key: Key, pace: Pace): void {
    const name = unstable_serialize(key);
    const now = Date.now();
    // What is patched and only checked "later" has no first load to catch up with.
    const last = this.#lastReload.get(name) ?? (pace === "later" ? now : 0);
    const due = Math.max(now, last + LEAST_TIME[pace]) + this.#random() * SPREAD[pace];
    const planned = this.#planned.get(name);
    if (planned !== undefined && planned.due <= due) return;
    clearTimeout(planned?.timer);
    const timer = setTimeout(() => {
      this.#planned.delete(name);
      if (document.hidden) this.#unseen.set(name, key);
      else this.#load(name, key);
    }, due - now);
    this.#planned.set(name, { due, timer });
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
  }

  #keys(): Key[] {
    const found: Key[] = [];
    void this.#mutate((key) => {
      if (Array.isArray(key)) found.push(key as unknown as Key);
      return false;
    });
    return found;
  }
}
