/**
 * The service worker: caches the client's own files, so that a station opens without a server, and shows pushes. Caches
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

// The page's types do not include those of a service worker.
const worker = globalThis as unknown as EventTarget & {
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
precacheAndRoute(worker.keptFiles, { directoryIndex: "index.html" });

// Let requests to the server bypass the worker in browsers that support it, so that they need not wait for it to start.
worker.addEventListener("install", (event) => {
  const routes = ["/api/*", "/health/*"].map((urlPattern) => ({
    condition: { urlPattern },
    source: "network",
  }));
  void (event as InstallEvent).addRoutes?.(routes);
});

// Also control the page that registered the first worker, so that its lazy parts load without a server too.
worker.addEventListener("activate", (event) => {
  (event as Waiting).waitUntil(worker.clients.claim());
});

// A new release waits until the page is idle: keptShell.ts sends this message.
worker.addEventListener("message", (event) => {
  if ((event as MessageEvent).data === "take-over") void worker.skipWaiting();
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
worker.addEventListener("push", (event) => {
  const { title, body, tag, path } = shownOf(event as PushEvent);
  const options = { body, tag, renotify: true, icon: "./icon-192.png", data: path };
  (event as PushEvent).waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener("notificationclick", (event) => {
  const { notification, waitUntil } = event as ClickEvent;
  notification.close();
  waitUntil.call(event, show(`${worker.registration.scope}#${String(notification.data)}`));
});

/** Show an address in an open window of the client, else in a new window. */
async function show(address: string): Promise<unknown> {
  const [page] = await worker.clients.matchAll({ type: "window" });
  if (page === undefined) return worker.clients.openWindow(address);
  await page.focus();
  return page.navigate(address);
}
