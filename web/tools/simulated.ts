/**
 * Simulate many screens in one process, each with its own socket and cache, driven by the client's own code:
 * `LiveClient` receives events, `LiveAnswers` applies them and decides what to load again.
 *
 * Reads lines of JSON, and answers each with one line. First a Job: opens one screen for each token, of the kinds in
 * turn; answered when all are live and loaded. Then any number of {cut: count}: `count` screens lose the network at
 * once; answered, when they are live again or after 60 s, by {seconds, absent: how many are not live}. Last {}:
 * answered by the measurements since the first answer: {requests: {kind: count}, screens: {kind: count}, latencies
 * (ms), failures, lost, events}.
 */
import { createInterface } from "node:readline";
import type { Cache, ScopedMutator, State } from "swr";
import { unstable_serialize } from "swr";
import { WebSocket as Socket } from "ws";
import type { LiveEvent } from "@/contract";
import type { LiveClient as Client } from "@/live/LiveClient";
import type { LiveAnswers as Answers } from "@/live/LiveAnswers";
import type { Key } from "@/shared/http/keys";
import { parseEventsOnce } from "./parsedOnce";

interface Job {
  base: string;
  tokens: string[];
  user: object;
  permissions: string[];
  /** The addresses that each kind of screen loads, as Chromium reported them. */
  screens: Record<string, string[]>;
  /** All paths of the contract. */
  paths: string[];
}

const OPENED_AT_ONCE = 50;
const PATIENCE = 60_000;
const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await orders.next()).value as string) as unknown;
const reply = (what: object) => void process.stdout.write(`${JSON.stringify(what)}\n`);
const job = (await read()) as Job;
const origin = { Origin: job.base };

// The browser globals that the client's modules need: a visible page and storage. No station's queue is kept here.
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
  indexedDB: { deleteDatabase: () => undefined },
});
const { storeSession } = await import("@/shared/session/session");
const { LiveClient } = await import("@/live/LiveClient");
const { LiveAnswers } = await import("@/live/LiveAnswers");
const { UNREAD } = await import("@/shared/http/keys");
storeSession({
  token: job.tokens[0]!,
  user: job.user as never,
  permissions: job.permissions as never,
});

parseEventsOnce();

const requests: Record<string, number> = {};
const latencies: number[] = [];
let counting = false;
const failures: Record<string, number> = {};
const fail = (what: string) => void (failures[what] = (failures[what] ?? 0) + 1);

/** The key under which the client caches the answer of an address. */
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
  // Unread notifications are one answer, even with a `limit`.
  const isList = limit !== undefined && path !== UNREAD;
  return isList ? [path, { path: place, query: asked }, "list"] : [path, { path: place, query }];
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

class Screen {
  readonly heard: number[] = [];
  isLive = false;
  #client: Client | undefined;
  #onLive: () => void = () => undefined;
  readonly #cache = new Map<string, State>();
  readonly #addresses = new Map<string, { key: Key; address: string }>();
  readonly #answers: Answers;

  constructor(
    readonly kind: string,
    readonly token: string,
    addresses: string[],
  ) {
    for (const address of addresses) {
      const key = keyOf(address);
      this.#addresses.set(unstable_serialize(key), { key, address });
    }
    this.#answers = new LiveAnswers(this.#cache as Cache, this.#mutate as ScopedMutator);
  }

  /** Does what SWR does for keys on screen: loads the answer, or replaces it with the given data. */
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
    // Use a new connection: the server closes idle ones between requests that are a minute apart.
    const headers = { Authorization: `Bearer ${this.token}`, Connection: "close" };
    const asked = fetch(job.base + address, { headers }).then(async (answer) => {
      // A proxy's own error page is not JSON.
      if (!answer.ok) throw new Error(String(answer.status));
      return (await answer.json()) as unknown[];
    });
    const rows = await asked.catch((error: Error) => fail(`${error.message} ${key[0]}`));
    if (counting) {
      requests[this.kind] = (requests[this.kind] ?? 0) + 1;
      latencies.push(performance.now() - begun);
    }
    if (rows === undefined) {
      this.#cache.set(name, { ...held, isValidating: false });
      return;
    }
    const data = key[2] === "list" ? { rows, total: rows.length, exact: true, next: null } : rows;
    this.#cache.set(name, { data, isValidating: false });
  }

  /** Load the screen's answers, and resolve when it is live. */
  async open(): Promise<void> {
    await Promise.all([...this.#addresses.keys()].map((name) => this.#load(name)));
    this.#client = new LiveClient({
      ticket: async () => ({ ticket: await this.#ticket() }),
      open: (query) => {
        const socket = new Socket(`${job.base.replace("http", "ws")}/ws/events?${query}`, {
          headers: origin,
          perMessageDeflate: false,
        });
        socket.addEventListener("error", () => undefined); // the client handles the close event that follows
        return socket as unknown as WebSocket;
      },
      memory: { read: () => null, write: () => undefined },
      nextFrame: (work) => void setTimeout(work, 16),
      onEvents: (events: LiveEvent[]) => {
        if (counting) this.heard.push(...events.map(({ id }) => id));
        this.#answers.apply(events);
      },
      isThere: async () => true,
      onScreens: (number) => this.#answers.shareWith(number),
      onReset: () => undefined, // everything has just been loaded
      onState: (state) => {
        this.isLive = state === "live";
        if (this.isLive) this.#onLive();
      },
      onSessionOver: () => fail("session over"),
    });
    const live = this.#nextTimeLive();
    this.#client.start();
    await live;
  }

  /** Lose the network, and resolve when the client is live again. */
  async loseNetwork(): Promise<void> {
    this.isLive = false;
    const live = this.#nextTimeLive();
    this.#client?.interrupt();
    await live;
  }

  async #ticket(): Promise<string> {
    const asked = {
      method: "POST",
      headers: { Authorization: `Bearer ${this.token}`, Connection: "close", ...origin },
    };
    const answered = await fetch(`${job.base}/api/live/ticket`, asked);
    if (!answered.ok) {
      fail(`${answered.status} ticket`);
      throw new Error("no ticket");
    }
    return ((await answered.json()) as { ticket: string }).ticket;
  }

  #nextTimeLive(): Promise<void> {
    return new Promise((live) => (this.#onLive = live));
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
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next.open();
  }),
);

async function cut(count: number): Promise<void> {
  const those = screens.slice(0, count);
  const begun = performance.now();
  await atMost(Promise.all(those.map((screen) => screen.loseNetwork())));
  const seconds = (performance.now() - begun) / 1_000;
  reply({ seconds, absent: those.filter(({ isLive }) => !isLive).length });
}

async function atMost(what: Promise<unknown>): Promise<void> {
  await Promise.race([what, new Promise((over) => setTimeout(over, PATIENCE))]);
}

counting = true;
reply({ open: screens.length });
let order = (await read()) as { cut?: number };
while (order.cut !== undefined) {
  await cut(order.cut);
  order = (await read()) as typeof order;
}
counting = false;
const newest = Math.max(...screens.map(({ heard }) => heard.at(-1) ?? 0));
const first = Math.min(...screens.map(({ heard }) => heard[0] ?? newest));
// Every screen must receive consecutive ids. Events missing at either end were still under way, and are not lost.
const wrong = screens.filter(({ heard }) =>
  heard.some((id, at) => at > 0 && id !== heard[at - 1]! + 1),
);
reply({
  requests,
  screens: Object.fromEntries(
    kinds.map((kind) => [kind, screens.filter((one) => one.kind === kind).length]),
  ),
  latencies,
  failures,
  lost: wrong.length,
  events: newest - first + 1,
});
process.stdout.end(() => process.exit(0));
