/** The service worker: keeps the client's own files, so that a station opens without a server. Never an answer of it. */
import { cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";

type Files = Parameters<typeof precacheAndRoute>[0];
type InstallEvent = Event & { addRoutes?: (routes: object[]) => Promise<void> };

// The page's types do not know where this runs.
const worker = globalThis as unknown as EventTarget & {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  /** The build writes the list here: every file, with what tells its versions apart. */
  keptFiles: Files;
};

cleanupOutdatedCaches();
precacheAndRoute(worker.keptFiles, { directoryIndex: "index.html" });

// What the server is asked goes past the worker, where the browser can do that: a press does not wait until it is awake.
worker.addEventListener("install", (event) => {
  const routes = ["/api/*", "/health/*"].map((urlPattern) => ({
    condition: { urlPattern },
    source: "network",
  }));
  void (event as InstallEvent).addRoutes?.(routes);
});

// The page that brought the first worker is its too: a part of it that is opened later needs no server either.
worker.addEventListener("activate", (event) => {
  (event as Event & { waitUntil: (work: Promise<void>) => void }).waitUntil(worker.clients.claim());
});

// A new release waits until the page says that nobody is in the middle of something.
worker.addEventListener("message", (event) => {
  if ((event as MessageEvent).data === "take-over") void worker.skipWaiting();
});
