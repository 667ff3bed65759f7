/**
 * The answers shown last, as this browser stores them for one session: the next page paints them before its first call
 * is answered. See infra/docs/rules.md#stored-copy.
 */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { useEffect } from "react";
import { unstable_serialize, useSWRConfig, type Cache, type Middleware, type State } from "swr";
import type { Permission } from "@/contract";
import { external } from "../external";
import { readLanguage } from "../language";
import { COPY, dropCopy, sessionName } from "../session/kept";
import { getSession, type Session } from "../session/session";
import {
  BATCH,
  BATCH_CARDS,
  BATCHES,
  BELL,
  BILL,
  BILLS,
  BOARD,
  HISTORY,
  isKey,
  LINE,
  LINES,
  ORDER,
  ORDERS,
  REPORT,
  RESOURCES,
  UNREAD,
  type Key,
} from "./keys";
import { forgetDocuments, isForeseen, take, view } from "./store";

/** The last event that was applied; `epoch` changes when the server's numbering restarts. */
export interface Position {
  epoch: string;
  id: number;
}

/** What a copy belongs to. Under any other label it is thrown away. */
interface Label {
  session: string;
  release: string;
  language: string;
  permissions: string;
}

interface Copy extends Label {
  /** When the answers were last live, in milliseconds. */
  at: number;
  position: Position;
  answers: { key: Key; data: unknown; isFresh: boolean }[];
}

/** A state of SWR's cache, with the key that it belongs to, and what it was answered while `data` is only foreseen. */
type Kept = State & { _k?: unknown; _c?: unknown };

interface Copies extends DBSchema {
  copies: { key: string; value: Copy };
}

/** How many answers are stored: those used last. */
const MOST = 40;
/** Answers that events keep current. Others are stored too, and loaded again after they were painted. */
const FOLLOWED = new Set<string>(
  [ORDERS, ORDER, LINES, LINE, HISTORY, BILLS, BILL, BOARD, BATCHES, BATCH, BATCH_CARDS].concat(
    [UNREAD, BELL],
    Object.values(RESOURCES),
  ),
);
const isStored = ([path]: Key) =>
  FOLLOWED.has(path) || path === REPORT || path.startsWith(`${REPORT}/`);

const textOf = (permissions: readonly Permission[]) => permissions.toSorted().join();

const labelOf = ({ token, permissions }: Session): Label => ({
  session: sessionName(token),
  // Its name holds a hash of all code that it loads.
  release: import.meta.url,
  language: readLanguage(),
  permissions: textOf(permissions),
});

/** The use of one cache by the page. */
class CacheUse {
  position: Position | null = null;
  /** When restored answers were last live; null for a cache that began empty, and once the page has compared the permissions. */
  restoredAt: number | null = null;
  /** The permissions with which the answers were loaded. */
  permissions: string | null = null;
  /** Restored answers that no event or write has made stale. */
  readonly fresh = new Set<string>();
  /** How often each answer is on screen, by name; the one used last is last. */
  readonly shown = new Map<string, number>();

  /** Returns the function that ends it. */
  show(name: string): () => void {
    const times = this.shown.get(name) ?? 0;
    this.shown.delete(name);
    this.shown.set(name, times + 1);
    return () => {
      this.fresh.delete(name);
      this.shown.set(name, (this.shown.get(name) ?? 1) - 1);
    };
  }
}

const uses = new WeakMap<Cache, CacheUse>();

export function cacheUse(cache: Cache): CacheUse {
  const known = uses.get(cache);
  if (known !== undefined) return known;
  const use = new CacheUse();
  uses.set(cache, use);
  return use;
}

/** SWR middleware: notes what is on screen, and asks for no restored answer that is fresh. */
export const noteUse: Middleware = (useSWRNext) => (key, fetcher, config) => {
  const { cache } = useSWRConfig();
  const name = unstable_serialize(key);
  const use = cacheUse(cache);
  useEffect(() => (name === "" ? undefined : use.show(name)), [use, name]);
  const asked = use.fresh.has(name) ? { ...config, revalidateIfStale: false } : config;
  return useSWRNext(key, fetcher, asked);
};

async function withDatabase<T>(work: (database: IDBPDatabase<Copies>) => Promise<T>): Promise<T> {
  const database = await openDB<Copies>(COPY, 1, {
    upgrade: (made) => void made.createObjectStore("copies"),
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

let restored: Copy | null = null;

/** Read the session's copy for the first cache. Without storage, or without a copy, that cache is empty. */
export async function readCopy(): Promise<void> {
  const session = getSession();
  if (session === null) return;
  try {
    const copy = (await withDatabase((database) => database.get("copies", "last"))) ?? null;
    const label = Object.entries(labelOf(session));
    const isOurs = label.every(([name, value]) => copy?.[name as keyof Label] === value);
    restored = isOurs ? copy : null;
    if (copy !== null && !isOurs) dropCopy();
  } catch {
    restored = null; // Storage is blocked.
  }
  restored?.answers.forEach(({ data }) => take(data));
}

/** Grows when the page must begin again with an empty cache. */
export const caches = external(0);

/** A new cache for the current session, with its restored answers. */
export function newCache(): Map<string, State> {
  const cache = new Map<string, State>();
  const copy = restored;
  restored = null;
  const session = getSession();
  const use = cacheUse(cache);
  use.permissions = session && textOf(session.permissions);
  if (copy === null || session === null || copy.session !== sessionName(session.token))
    return cache;
  use.permissions = copy.permissions;
  use.position = copy.position;
  use.restoredAt = copy.at;
  for (const { key, data, isFresh } of copy.answers) {
    const name = unstable_serialize(key);
    // SWR finds the answers to change by `_k`.
    const kept: Kept = { data, _k: key, isLoading: false, isValidating: false };
    cache.set(name, kept);
    if (isFresh) use.fresh.add(name);
  }
  return cache;
}

/**
 * Compare the user's permissions with those of the cache, which another tab does not change. If they differ, throw the
 * copy away; at the page's first comparison, restored answers leave the screen too. Later ones leave it alone: what was
 * typed would be lost, and a change of rights loads everything again.
 */
export function comparePermissions(cache: Cache, permissions: readonly Permission[]): void {
  const use = cacheUse(cache);
  const isRestored = use.restoredAt !== null;
  const isSame = use.permissions === textOf(permissions);
  use.restoredAt = null;
  use.permissions = textOf(permissions);
  if (isSame) return;
  dropCopy();
  if (!isRestored) return;
  forgetDocuments();
  caches.set(caches.get() + 1);
}

/** Stores the copy of a page's answers while the user may read the same as when the page began. */
export class CopyKeeper {
  readonly #cache: Cache;
  readonly #label: Label | null;
  /** Whether an answer is due to be loaded again. */
  readonly #isDue: (name: string) => boolean;
  #last: readonly unknown[] = [];

  constructor(cache: Cache, isDue: (name: string) => boolean) {
    const session = getSession();
    this.#cache = cache;
    this.#label = session && labelOf(session);
    this.#isDue = isDue;
  }

  /** `at`: when the answers were last live. Stores nothing if nothing changed. */
  async store(at: number): Promise<void> {
    const { position, shown } = cacheUse(this.#cache);
    const session = getSession();
    const { permissions } = this.#label ?? {};
    // Only answers are stored, and not what a write under way will change.
    if (isForeseen()) return;
    // Answers that were loaded with other permissions are not stored under the new ones.
    if (session === null || position === null || this.#label === null) return;
    if (labelOf(session).session !== this.#label.session) return;
    if (labelOf(session).permissions !== permissions) return;
    const answers = [...shown].slice(-MOST).flatMap(([name, times]) => {
      const kept: Kept = { ...this.#cache.get(name) };
      const { data: shownData, _c: data = shownData, error, isValidating, _k: key } = kept;
      if (data === undefined || error !== undefined || !isKey(key) || !isStored(key)) return [];
      const isFresh =
        times > 0 && isValidating !== true && FOLLOWED.has(key[0]) && !this.#isDue(name);
      return [{ key, data: view(data), isFresh }];
    });
    const now = [position.id, ...answers.flatMap(({ data, isFresh }) => [data, isFresh])];
    if (now.length === this.#last.length && now.every((one, place) => one === this.#last[place]))
      return;
    this.#last = now;
    const copy = { ...labelOf(session), at, position, answers };
    try {
      await withDatabase((database) => database.put("copies", copy, "last"));
    } catch {
      this.#last = []; // Storage is blocked or full: the page works from memory.
    }
  }
}
