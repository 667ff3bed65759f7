/** Brings a batch of events into the SWR cache: each key is drawn once, and loaded again at most every now and then. */
import { unstable_serialize, type Cache, type ScopedMutator } from "swr";
import type { LiveEvent } from "@/contract";
import type { Key } from "@/shared/keys";
import { effectsOf } from "./stale";

/** A busy shop floor moves twenty lines a second; nothing is loaded more often than this. */
const RELOAD_EVERY = { soon: 2_000, later: 60_000 };
type Pace = keyof typeof RELOAD_EVERY;

export class CacheUpdater {
  readonly #cache: Cache;
  readonly #mutate: ScopedMutator;
  readonly #lastReload = new Map<string, number>();
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(cache: Cache, mutate: ScopedMutator) {
    this.#cache = cache;
    this.#mutate = mutate;
  }

  apply(events: readonly LiveEvent[]): void {
    const effects = events.flatMap(effectsOf);
    for (const key of this.#keys()) {
      const mine = effects.filter((effect) => effect.covers(key));
      if (mine.length > 0) this.#update(key, mine);
    }
  }

  #update(key: Key, effects: ReturnType<typeof effectsOf>): void {
    const held = this.#cache.get(unstable_serialize(key));
    const loading = held?.data === undefined || held.isValidating === true;
    if (held?.data !== undefined) {
      let data: unknown = held.data;
      for (const { patch } of effects) if (patch) data = patch(data as never);
      if (data !== held.data) void this.#mutate(key, data, { revalidate: false });
    }
    // An answer that was under way may be older than the event, and SWR drops it after a patch.
    const soon = effects.some(({ patch, reload }) => patch === undefined || reload === "soon");
    if (loading || soon) this.#reload(key, "soon");
    else if (effects.some(({ reload }) => reload === "later")) this.#reload(key, "later");
  }

  #reload(key: Key, pace: Pace): void {
    const name = unstable_serialize(key);
    if (this.#waiting.has(name)) {
      if (pace === "later") return;
      clearTimeout(this.#waiting.get(name));
    }
    const last = this.#lastReload.get(name) ?? (pace === "later" ? Date.now() : 0);
    const wait = Math.max(0, last + RELOAD_EVERY[pace] - Date.now());
    this.#waiting.set(
      name,
      setTimeout(() => {
        this.#waiting.delete(name);
        this.#lastReload.set(name, Date.now());
        void this.#mutate(key);
      }, wait),
    );
  }

  /** Everything on screen is loaded afresh. */
  reloadAll(): void {
    void this.#mutate(() => true);
  }

  stop(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
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
