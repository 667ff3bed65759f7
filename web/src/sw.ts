/**
 * The service worker: caches the client's own files, so that each page opens without a server, and shows pushes. Caches
 * no answers.
 */
import { cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";

type Files = Parameters<typeof precacheAndRoute>[0];
type Waiting = Event & { waitUntil: (work: Promise<unknown>) => void };
type PushEvent = Waiting & { data: { json: () => unknown } | null };
type ClickEvent = Waiting & { notification: { close: () => void; data: unknown } };
/** A page of the client. */
interface Page {
  focus: () => Promise<unknown>;
  navigate: (address: string) => Promise<unknown>;
}
type InstallEvent = Event & { addRoutes?: (routes: object[]) => Promise<void> };

interface Events {
  install: InstallEvent;
  activate: Waiting;
  message: MessageEvent;
  push: PushEvent;
  notificationclick: ClickEvent;
}

// The page's types do not include those of a service worker.
declare const self: {
  addEventListener: <T extends keyof Events>(type: T, listen: (event: Events[T]) => void) => void;
  skipWaiting: () => Promise<void>;
  clients: {
    claim: () => Promise<void>;
    matchAll: (options: object) => Promise<readonly Page[]>;
    openWindow: (address: string) => Promise<unknown>;
  };
  registration: {
    scope: string;
    showNotification: (title: string, options: NotificationOptions) => Promise<void>;
  };
  /** The build replaces this with the list of files, each with its revision. */
  keptFiles: Files;
};

cleanupOutdatedCaches();
precacheAndRoute(self.keptFiles, { directoryIndex: "index.html" });

// Let requests to the server bypass the worker in browsers that support it, so that they need not wait for it to start.
self.addEventListener("install", (event) => {
  const routes = ["/api/*", "/health/*"].map((urlPattern) => ({
    condition: { urlPattern },
    source: "network",
  }));
  void event.addRoutes?.(routes);
});

// Also control the page that registered the first worker, so that its lazy parts load without a server too.
self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

// A new release waits until the page is idle: keptShell.ts sends this message.
self.addEventListener("message", (event) => {
  if (event.data === "take-over") void self.skipWaiting();
});

interface Shown {
  title: string;
  body: string;
  tag: string;
  path: string;
}

const HOME: Shown = { title: "Obrador", body: "", tag: "obrador", path: "/home" };

/**
 * Read a push. A browser must show every push, so a push that cannot be read is shown without a
 * text.
 */
function shownOf({ data }: PushEvent): Shown {
  try {
    return { ...HOME, ...(data?.json() as Partial<Shown> | null) };
  } catch (reason) {
    if (reason instanceof SyntaxError) return HOME;
    throw reason;
  }
}

// If a push has the tag of one that is still shown, it replaces that one and rings again.
self.addEventListener("push", (event) => {
  const { title, body, tag, path } = shownOf(event);
  const options = { body, tag, renotify: true, icon: "./icon-192.png", data: path };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  const { notification, waitUntil } = event;
  notification.close();
  waitUntil.call(event, show(`${self.registration.scope}#${String(notification.data)}`));
});

/** Show an address in an open window of the client, else in a new window. */
async function show(address: string): Promise<unknown> {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (page === undefined) return self.clients.openWindow(address);
  await page.focus();
  return page.navigate(address);
}
