/**
 * Many screens in one process, each with a socket and a cache of its own, driven by the client's own code: `LiveClient`
 * hears, `CacheUpdater` draws and decides what is asked for again. What each kind of screen shows, Chromium has said.
 *
 * Reads one line of JSON: {base, tokens, user, permissions, seconds, screens: {kind: [addresses it loads]}, paths: the
 * contract's}. One screen a token, of the kinds in turn. Writes "open" when every screen is live and loaded, and after
 * `seconds` a line {requests: {kind: how many}, screens: {kind: how many}, latencies (ms), failures, lost, events}.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Cache, ScopedMutator, State } from "swr";
import { unstable_serialize } from "swr";
import type { LiveEvent } from "@/contract";
import type { CacheUpdater as Updater } from "@/live/refresh";
import type { Key } from "@/shared/http/keys";

interface Job {
  base: string;
  tokens: string[];
  user: object;
  permissions: string[];
  seconds: number;
  screens: Record<string, string[]>;
  paths: string[];
}

const OPENED_AT_ONCE = 50;
const [line] = (await once(createInterface({ input: process.stdin }), "line")) as [string];
const job = JSON.parse(line) as Job;
const origin = { Origin: job.base };

// What the client's modules find in a browser: a page that is looked at, and somebody who is signed in.
const kept: Record<string, string> = {};
const storage = {
  getItem: (name: string) => kept[name] ?? null,
  setItem: (name: string, value: string) => void (kept[name] = value),
  removeItem: (name: string) => void delete kept[name],
};
Object.assign(globalThis, {
  window: { addEventListener: () => undefined, location: new URL(job.base) },
  document: { hidden: false },
  localStorage: storage,
  sessionStorage: storage,
});
const { storeSession } = await import("@/shared/session/session");
const { LiveClient } = await import("@/live/LiveClient");
const { CacheUpdater } = await import("@/live/refresh");
const { UNREAD } = await import("@/shared/http/keys");
storeSession({
  token: job.tokens[0]!,
  user: job.user as never,
  permissions: job.permissions as never,
});

const requests: Record<string, number> = {};
const latencies: number[] = [];
let counting = false;
const failures: Record<string, number> = {};

/** The key under which the client keeps the answer of an address. */
function keyOf(address: string): Key {
  const { pathname, searchParams } = new URL(address, job.base);
  const query = Object.fromEntries(searchParams);
  const { limit, ...asked } = query;
  const exact = job.paths.find((path) => path === pathname);
  const path = exact ?? job.paths.find((one) => pattern(one).test(pathname)) ?? pathname;
  const found = pattern(path).exec(pathname)?.groups ?? {};
  const place = Object.fromEntries(
    Object.entries(found).map(([name, value]) => [
      name,
      Number.isNaN(Number(value)) ? value : Number(value),
    ]),
  );
  // What is unread is one answer, however many it is asked for.
  const isList = limit !== undefined && path !== UNREAD;
  return isList ? [path, { path: place, query: asked }, "list"] : [path, { path: place, query }];
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

class Screen {
  readonly heard: number[] = [];
  readonly #cache = new Map<string, State>();
  readonly #addresses = new Map<string, { key: Key; address: string }>();
  readonly #updater: Updater;

  constructor(
    readonly kind: string,
    readonly token: string,
    addresses: string[],
  ) {
    for (const address of addresses) {
      const key = keyOf(address);
      this.#addresses.set(unstable_serialize(key), { key, address });
    }
    this.#updater = new CacheUpdater(this.#cache as Cache, this.#mutate as ScopedMutator);
  }

  /** What SWR does where a hook shows the key: loads it, or puts what is given in its place. */
  #mutate = (
    which: Key | ((key: Key) => boolean),
    ...given: [data?: unknown, options?: object]
  ) => {
    if (typeof which === "function") {
      for (const [name, { key }] of this.#addresses) if (which(key)) void this.#load(name);
    } else if (given.length > 0) {
      const name = unstable_serialize(which);
      this.#cache.set(name, { ...this.#cache.get(name), data: given[0] });
    } else {
      void this.#load(unstable_serialize(which));
    }
    return Promise.resolve(undefined);
  };

  async #load(name: string): Promise<void> {
    const { key, address } = this.#addresses.get(name)!;
    const held = this.#cache.get(name);
    if (held?.isValidating === true) return;
    this.#cache.set(name, { ...held, isValidating: true });
    const begun = performance.now();
    const ask = () =>
      fetch(job.base + address, { headers: { Authorization: `Bearer ${this.token}` } });
    // The server closes a connection that was idle for long: a browser asks again by a new one, too.
    const answer = await ask().catch(ask);
    const rows = (await answer.json()) as unknown[];
    if (counting) {
      requests[this.kind] = (requests[this.kind] ?? 0) + 1;
      latencies.push(performance.now() - begun);
    }
    if (!answer.ok) {
      const what = `${answer.status} ${key[0]}`;
      failures[what] = (failures[what] ?? 0) + 1;
      this.#cache.set(name, { ...held, isValidating: false });
      return;
    }
    const data = key[2] === "list" ? { rows, total: rows.length, exact: true, next: null } : rows;
    this.#cache.set(name, { data, isValidating: false });
  }

  async open(): Promise<void> {
    await Promise.all([...this.#addresses.keys()].map((name) => this.#load(name)));
    await new Promise<void>((live) => {
      const client = new LiveClient({
        ticket: async () => {
          const asked = {
            method: "POST",
            headers: { Authorization: `Bearer ${this.token}`, ...origin },
          };
          return (
            (await (await fetch(`${job.base}/api/live/ticket`, asked)).json()) as { ticket: string }
          ).ticket;
        },
        open: (query) =>
          new WebSocket(`${job.base.replace("http", "ws")}/ws/events?${query}`, {
            headers: origin,
          } as never),
        memory: { read: () => null, write: () => undefined },
        nextFrame: (work) => void setTimeout(work, 16),
        onEvents: (events: LiveEvent[]) => {
          if (counting) this.heard.push(...events.map(({ id }) => id));
          this.#updater.apply(events);
        },
        isThere: async () => true,
        onScreens: (number) => this.#updater.shareWith(number),
        onReset: () => undefined, // everything has just been loaded
        onState: (state) => state === "live" && live(),
        onSessionOver: () => void (failures["session over"] = (failures["session over"] ?? 0) + 1),
      });
      client.start();
    });
  }
}

const kinds = Object.keys(job.screens);
const screens = job.tokens.map((token, number) => {
  const kind = kinds[number % kinds.length]!;
  return new Screen(kind, token, job.screens[kind]!);
});
const waiting = [...screens];
await Promise.all(
  Array.from({ length: OPENED_AT_ONCE }, async () => {
    // oxlint-disable-next-line no-await-in-loop -- so many at once, and no more
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next.open();
  }),
);

counting = true;
process.stdout.write("open\n");
await new Promise((resolve) => setTimeout(resolve, 1_000 * job.seconds));
counting = false;
const newest = Math.max(...screens.map(({ heard }) => heard.at(-1) ?? 0));
const first = Math.min(...screens.map(({ heard }) => heard[0] ?? newest));
// Every screen hears every event of these movements, once and in order; what is on its way at either end is no loss.
const wrong = screens.filter(({ heard }) =>
  heard.some((id, at) => at > 0 && id !== heard[at - 1]! + 1),
);
process.stdout.write(
  JSON.stringify({
    requests,
    screens: Object.fromEntries(
      kinds.map((kind) => [kind, screens.filter((one) => one.kind === kind).length]),
    ),
    latencies,
    failures,
    lost: wrong.length,
    events: newest - first + 1,
  }) + "\n",
);
process.exit(0);
