/** Hold the page's one live connection, and the users who view the same line. */
import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { useSWRConfig } from "swr";
import type { LiveEvent, Presence } from "@/contract";
import { external } from "@/shared/external";
import { socketAddress } from "@/shared/bases";
import { namedErased } from "@/shared/format/erased";
import { asApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { CopyKeeper, comparePermissions, cacheUse } from "@/shared/http/copy";
import { followWrites } from "@/shared/http/data";
import { endStart, startOf, type PageStart } from "@/shared/http/start";
import { written } from "@/shared/ui/useSubmit";
import { serverAnswers } from "@/shared/network";
import { readLanguage } from "@/shared/language";
import { expireSession, storePermissions, storeUser, useSignedIn } from "@/shared/session/session";
import { readClaims } from "@/shared/session/token";
import { toastUnasked } from "@/shared/ui/errors";
import { LiveAnswers } from "./LiveAnswers";
import { useHeldProcesses } from "./useHeldProcesses";
import { storePass } from "@/shared/http/picturePass";
import { LiveClient, type LiveState, type Ticket, type Viewing } from "./LiveClient";

type Listener = (event: LiveEvent) => void;

export interface LiveStatus {
  state: LiveState;
  /** Whether the last call for a ticket reached no server. */
  isAway: boolean;
  /** When the last event came, in milliseconds; null before the first. */
  lastEventAt: number | null;
  /** When the data on screen was last live; null while it is live, and before the first connection. */
  liveUntil: number | null;
}

class LiveStore {
  readonly status;
  readonly presence = external<Presence | null>(null);
  readonly listeners = new Set<Listener>();
  /** The lines that are open. The line on top is the last one. */
  readonly #viewed: Viewing[] = [];
  #client: LiveClient | null = null;

  /** `liveUntil`: when the answers on screen were last live; null if there are none. */
  constructor(liveUntil: number | null) {
    this.status = external<LiveStatus>({
      state: "reconnecting",
      isAway: false,
      lastEventAt: null,
      liveUntil,
    });
  }

  change(status: Partial<LiveStatus>): void {
    this.status.set({ ...this.status.get(), ...status });
    // The users who view the line are unknown without a connection.
    if (this.status.get().state !== "live") this.presence.set(null);
  }

  setClient(client: LiveClient): void {
    this.#client = client;
    this.#sendViewing();
  }

  /** Mark a line as viewed until the returned function is called. */
  view(line: Viewing): () => void {
    this.#viewed.push(line);
    this.#sendViewing();
    return () => {
      this.#viewed.splice(this.#viewed.indexOf(line), 1);
      this.#sendViewing();
    };
  }

  #sendViewing(): void {
    this.#client?.view(this.#viewed.at(-1) ?? null);
  }
}

const LiveContext = createContext<LiveStore | null>(null);

function useStore(): LiveStore {
  const store = use(LiveContext);
  if (store === null) throw new Error("Live events are received inside LiveProvider.");
  return store;
}

/** Milliseconds between two copies of the answers. */
const COPIED_EVERY = 5_000;

/** Get a ticket for a socket, and the pass for pictures that comes with it. */
async function openTicket(): Promise<string> {
  const { ticket, pictures } = await call(api.POST("/api/live/ticket", { headers: QUIET }));
  storePass(pictures);
  return ticket;
}

function nextFrame(work: () => void): void {
  // A hidden page draws no frames but must still apply events.
  if (document.hidden) setTimeout(work, 100);
  else requestAnimationFrame(work);
}

/** The connection of the signed-in user. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { token } = useSignedIn();
  const { cache } = useSWRConfig();
  const onStart = ({ user, permissions }: PageStart) => {
    if (user !== null) storeUser(user);
    storePermissions(permissions);
    // Before the next paint, so that nothing stays on screen that the user may no longer read.
    comparePermissions(cache, permissions);
  };
  return (
    <LiveConnection isCopied token={token} onStart={onStart} onSessionOver={() => expireSession()}>
      {children}
    </LiveConnection>
  );
}

interface Connected {
  token: string;
  /** Gets the user and the permissions: at the start, and before everything is reloaded. */
  onStart?: (start: PageStart) => void;
  /** Whether this browser stores a copy of the answers for the next page. */
  isCopied?: boolean;
  onSessionOver: () => void;
  children: ReactNode;
}

/** The connection of a token: a user's, or a wall screen's. */
export function LiveConnection({ token, children, isCopied = false, ...callbacks }: Connected) {
  const { cache, mutate } = useSWRConfig();
  const store = useMemo(() => new LiveStore(cacheUse(cache).restoredAt), [cache]);
  useHeldProcesses();
  // Asked before the first calls of the pages inside, which it answers.
  useState(() => startOf(token).catch(() => undefined));
  const onStart = useEffectEvent((start: PageStart) => callbacks.onStart?.(start));
  const onSessionOver = useEffectEvent(callbacks.onSessionOver);

  useEffect(() => {
    const inUse = cacheUse(cache);
    const answers = new LiveAnswers(cache, mutate);
    const copy = new CopyKeeper(cache, (name) => answers.isDue(name));
    const keepCopy = () => {
      const { state, liveUntil } = store.status.get();
      const at = state === "live" ? Date.now() : liveUntil;
      if (isCopied && at !== null) void copy.store(at);
    };
    const own = readClaims(token)?.jti;
    /** Without a `jti` all sessions of the user have ended; with one, only that session. */
    const endsThis = (jti: string | null) => jti === null || jti === own;
    const start = async (): Promise<Ticket> => {
      const started = await startOf(token);
      storePass(started.pictures);
      onStart(started);
      return { ticket: started.ticket, begins: { epoch: started.epoch, id: started.id } };
    };
    let isStarted = false;
    const ticket = async (): Promise<Ticket> => {
      try {
        const given = isStarted ? { ticket: await openTicket() } : await start();
        isStarted = true;
        store.change({ isAway: false });
        return given;
      } catch (reason) {
        store.change({ isAway: asApiError(reason).isOffline });
        throw reason;
      }
    };
    const follow = () => {
      endStart(); // without a socket, the page's first start would answer again
      return start().catch(toastUnasked).finally(endStart);
    };
    const reload = () => answers.reloadAll(follow);
    const answerForSession = (event: LiveEvent) => {
      if (event.type === "session.ended" && endsThis(event.data.jti)) onSessionOver();
      if (event.type !== "permissions.changed") return;
      reload(); // with a new pass for pictures, because the former one ended
    };
    const client = new LiveClient({
      ticket,
      open: (query) => new WebSocket(socketAddress(`/ws/events?${query}`)),
      inWords: (json) => namedErased(json, readLanguage()),
      memory: {
        read: () => inUse.position,
        write: (position) => {
          inUse.position = position;
        },
      },
      nextFrame,
      isThere: serverAnswers,
      onScreens: (screens) => answers.shareWith(screens),
      onState: (state) => {
        if (state !== "reconnecting") endStart();
        const ended = state !== "live" && store.status.get().state === "live";
        if (state === "live") store.change({ state, liveUntil: null });
        else store.change(ended ? { state, liveUntil: Date.now() } : { state });
      },
      // Reload the permissions too: no event arrives if they change while no socket is open.
      onReset: reload,
      onPresence: (presence) => store.presence.set(presence),
      onSessionOver: () => onSessionOver(),
      onEvents: (events, past) => {
        answers.apply(events, past);
        events.forEach(answerForSession);
        if (past) return;
        store.change({ lastEventAt: Date.now() });
        for (const event of events) for (const listener of store.listeners) listener(event);
      },
    });
    const copying = setInterval(keepCopy, COPIED_EVERY);
    const wake = () => {
      if (document.hidden) {
        keepCopy();
        return;
      }
      client.wake();
      answers.wake();
    };
    // While no events arrive, reload after each of the user's own writes.
    const unwatch = written.subscribe(() => {
      endStart();
      if (store.status.get().state !== "live") answers.reloadAll();
    });
    const unfollow = followWrites((covers) => {
      if (store.status.get().state === "live") answers.afterWrite(covers);
    });
    store.setClient(client);
    client.start();
    const interrupt = () => client.interrupt();
    window.addEventListener("online", wake);
    window.addEventListener("offline", interrupt);
    document.addEventListener("visibilitychange", wake);
    return () => {
      window.removeEventListener("online", wake);
      window.removeEventListener("offline", interrupt);
      document.removeEventListener("visibilitychange", wake);
      unwatch();
      unfollow();
      client.stop();
      answers.stop();
      clearInterval(copying);
    };
  }, [token, cache, mutate, store, isCopied]);

  return <LiveContext value={store}>{children}</LiveContext>;
}

/**
 * Call `listener` for every event once, in order, after the event was applied to the cached answers.
 * What happened before the page began is no news.
 */
export function useLiveEvents(listener: Listener): void {
  const store = useStore();
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    const each: Listener = (event) => onEvent(event);
    store.listeners.add(each);
    return () => {
      store.listeners.delete(each);
    };
  }, [store]);
}

export function useLiveStatus(): LiveStatus {
  return useStore().status.use();
}

/** Report that the user views a line. Returns the other users who view it. */
export function useOthersAt({ salesOrderId, position }: Viewing): Presence["people"] {
  const store = useStore();
  const me = useSignedIn().user.id;
  useEffect(() => store.view({ salesOrderId, position }), [store, salesOrderId, position]);
  const presence = store.presence.use();
  if (presence?.salesOrderId !== salesOrderId || presence.position !== position) return [];
  return presence.people.filter(({ id }) => id !== me);
}

/** When the data on screen was last live; null while it is live, and before the first connection. */
export function useStaleSince(): number | null {
  return useLiveStatus().liveUntil;
}
