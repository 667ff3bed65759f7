/**
 * Many screens in one process, each with a socket and a cache of its own, driven by the client's own code: `LiveClient`
 * hears, `LiveAnswers` applies it and decides what is asked for again. What each kind of screen shows, Chromium has said.
 *
 * Reads lines of JSON, and answers each with one. The first is a Job: one screen a token, of the kinds in turn; answered
 * when every screen is live and loaded. Then, as often as wanted, {cut: how many}: so many screens lose the network at
 * once; answered when they are live again by {seconds, absent: how many are not}. At last {newest, receipts}: what was
 * heard since the answer to the job, once every screen has heard the event `newest`; answered by {requests: {kind: how
 * many}, screens: {kind: how many}, latencies (ms), failures, lost, events}. `receipts` names a file for the instants at
 * which each event came to each screen, as triples of float64: screen, event, monotonic nanoseconds.
 */
import { writeFileSync } from "node:fs";
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
  /** For each kind the addresses it loads. */
  screens: Record<string, string[]>;
  /** The contract's. */
  paths: string[];
  /** The number of the first screen: another process may have those before it. */
  first: number;
  /** How many receipts there will be at most; 0 where none is written down. */
  receipts: number;
}

const OPENED_AT_ONCE = 50;
const PATIENCE = 60_000;
const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await orders.next()).value as string) as unknown;
const reply = (what: object) => void process.stdout.write(`${JSON.stringify(what)}\n`);
const job = (await read()) as Job;
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
const receipts = new Float64Array(3 * job.receipts);
let received = 0;

/** Writes down when a frame came, before the client looks at it. */
function noteReceipt(screen: number, frame: string): void {
  const now = Number(process.hrtime.bigint());
  if (!counting || !frame.startsWith('{"id":') || received + 3 > receipts.length) return;
  receipts[received++] = screen;
  receipts[received++] = Number.parseInt(frame.slice(6, 26), 10);
  receipts[received++] = now;
}

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
  isLive = false;
  #client: Client | undefined;
  #onLive: () => void = () => undefined;
  readonly #cache = new Map<string, State>();
  readonly #addresses = new Map<string, { key: Key; address: string }>();
  readonly #answers: Answers;

  constructor(
    readonly number: number,
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
    // On a connection of its own: who asks once a minute finds that the server has closed the last one.
    const headers = { Authorization: `Bearer ${this.token}`, Connection: "close" };
    const asked = fetch(job.base + address, { headers }).then(async (answer) => {
      // What a proxy says itself is no JSON.
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

  /** Loads what it shows, and is live. */
  async open(): Promise<void> {
    await Promise.all([...this.#addresses.keys()].map((name) => this.#load(name)));
    this.#client = new LiveClient({
      ticket: () => this.#ticket(),
      open: (query) => {
        const socket = new Socket(`${job.base.replace("http", "ws")}/ws/events?${query}`, {
          headers: origin,
          perMessageDeflate: false,
        });
        socket.addEventListener("message", ({ data }) => noteReceipt(this.number, String(data)));
        socket.addEventListener("error", () => undefined); // its close follows, which the client hears
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

  /** Loses the network, and comes back as the client does. */
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
  return new Screen(job.first + number, kind, token, job.screens[kind]!);
});
const waiting = [...screens];
await Promise.all(
  Array.from({ length: OPENED_AT_ONCE }, async () => {
    // oxlint-disable-next-line no-await-in-loop -- so many at once, and no more
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

/** Waits until every screen has heard the event. */
async function haveHeard(newest: number): Promise<void> {
  const all = new Promise<void>((resolve) => {
    const looking = setInterval(() => {
      if (screens.some(({ heard }) => (heard.at(-1) ?? 0) < newest)) return;
      clearInterval(looking);
      resolve();
    }, 50);
  });
  await atMost(all);
}

async function atMost(what: Promise<unknown>): Promise<void> {
  await Promise.race([what, new Promise((over) => setTimeout(over, PATIENCE))]);
}

counting = true;
reply({ open: screens.length });
let order = (await read()) as { cut: number } | { newest: number; receipts: string };
while ("cut" in order) {
  // oxlint-disable-next-line no-await-in-loop -- one order after the other
  await cut(order.cut);
  // oxlint-disable-next-line no-await-in-loop
  order = (await read()) as typeof order;
}
await haveHeard(order.newest);
counting = false;
const newest = Math.max(...screens.map(({ heard }) => heard.at(-1) ?? 0));
const first = Math.min(...screens.map(({ heard }) => heard[0] ?? newest));
// Every screen hears every event of these movements, once and in order; what is on its way at either end is no loss.
const wrong = screens.filter(({ heard }) =>
  heard.some((id, at) => at > 0 && id !== heard[at - 1]! + 1),
);
if (order.receipts !== "") writeFileSync(order.receipts, receipts.subarray(0, received));
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
