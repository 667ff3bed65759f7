/** Holds the one live connection of a signed-in page. */
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import { useSWRConfig } from "swr";
import type { LiveEvent } from "@/contract";
import { socketAddress } from "@/shared/bases";
import { api, call, QUIET } from "@/shared/http/client";
import { loadPermissions, loadUser } from "@/shared/http/permissions";
import { expireSession, storePermissions, storeUser, useSignedIn } from "@/shared/session/session";
import { readClaims } from "@/shared/session/token";
import { toastError } from "@/shared/ui/errors";
import { CacheUpdater } from "./refresh";
import { LiveClient, type LiveState, type Position } from "./LiveClient";

type Listener = (event: LiveEvent) => void;

export interface LiveStatus {
  state: LiveState;
  /** When the last event came, in milliseconds; null before the first. */
  lastEventAt: number | null;
}

class LiveStore {
  status: LiveStatus = { state: "reconnecting", lastEventAt: null };
  readonly watchers = new Set<() => void>();
  readonly listeners = new Set<Listener>();

  change(status: Partial<LiveStatus>): void {
    this.status = { ...this.status, ...status };
    for (const watcher of this.watchers) watcher();
  }
}

const LiveContext = createContext<LiveStore | null>(null);

function useStore(): LiveStore {
  const store = use(LiveContext);
  if (store === null) throw new Error("Live events are heard inside LiveProvider.");
  return store;
}

function memoryOf(token: string) {
  // The end of the signature tells sessions apart and gives nothing away.
  const name = `live:${token.slice(-12)}`;
  return {
    read: (): Position | null => {
      const text = sessionStorage.getItem(name);
      return text === null ? null : (JSON.parse(text) as Position);
    },
    write: (position: Position) => sessionStorage.setItem(name, JSON.stringify(position)),
  };
}

function nextFrame(work: () => void): void {
  // A page in the background draws no frames but must not fall behind.
  if (document.hidden) setTimeout(work, 100);
  else requestAnimationFrame(work);
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const { token, user } = useSignedIn();
  const { cache, mutate } = useSWRConfig();
  const store = useMemo(() => new LiveStore(), []);
  const userId = user.id;

  useEffect(() => {
    const updater = new CacheUpdater(cache, mutate);
    const own = readClaims(token)?.jti;
    /** Without a `jti` every session of the person is over; else only the one it names. */
    const endsThis = (jti: string | null) => jti === null || jti === own;
    const answerForSession = async (event: LiveEvent) => {
      if (event.type === "session.ended" && endsThis(event.data.jti)) expireSession();
      if (event.type === "permissions.changed") {
        await followRights();
        updater.reloadAll();
      }
    };
    const followRights = async () => {
      const [permissions, person] = await Promise.all([
        loadPermissions(String(userId), { ...QUIET }),
        loadUser(userId, { ...QUIET }),
      ]);
      storeUser(person);
      storePermissions(permissions);
    };
    const client = new LiveClient({
      ticket: async () => (await call(api.POST("/api/live/ticket", { headers: QUIET }))).ticket,
      open: (query) => new WebSocket(socketAddress(`/ws/events?${query}`)),
      memory: memoryOf(token),
      nextFrame,
      onState: (state) => store.change({ state }),
      onScreens: (screens) => updater.shareWith(screens),
      onReset: () => {
        // What no event told: rights that changed while no socket was open, or before the first.
        followRights().catch(toastError);
        updater.reloadAll();
      },
      onSessionOver: () => expireSession(),
      onEvents: (events) => {
        store.change({ lastEventAt: Date.now() });
        updater.apply(events);
        for (const event of events) {
          for (const listener of store.listeners) listener(event);
          answerForSession(event).catch(toastError);
        }
      },
    });
    const wake = () => {
      if (document.hidden) return;
      client.wake();
      updater.wake();
    };
    client.start();
    const interrupt = () => client.interrupt();
    window.addEventListener("online", wake);
    window.addEventListener("offline", interrupt);
    document.addEventListener("visibilitychange", wake);
    return () => {
      window.removeEventListener("online", wake);
      window.removeEventListener("offline", interrupt);
      document.removeEventListener("visibilitychange", wake);
      client.stop();
      updater.stop();
    };
  }, [token, userId, cache, mutate, store]);

  return <LiveContext value={store}>{children}</LiveContext>;
}

/** Hears every event once, in order, after the data on screen has followed it. */
export function useLiveEvents(listener: Listener): void {
  const store = useStore();
  const hear = useEffectEvent(listener);
  useEffect(() => {
    const each: Listener = (event) => hear(event);
    store.listeners.add(each);
    return () => {
      store.listeners.delete(each);
    };
  }, [store]);
}

export function useLiveStatus(): LiveStatus {
  const store = useStore();
  const subscribe = useCallback(
    (watcher: () => void) => {
      store.watchers.add(watcher);
      return () => store.watchers.delete(watcher);
    },
    [store],
  );
  return useSyncExternalStore(subscribe, () => store.status);
}
