/** The service worker: caches the client's own files, so that a station opens without a server. Caches no answers. */
import { cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";

type Files = Parameters<typeof precacheAndRoute>[0];
type InstallEvent = Event & { addRoutes?: (routes: object[]) => Promise<void> };

// The page's types do not include those of a service worker.
const worker = globalThis as unknown as EventTarget & {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
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
  (event as Event & { waitUntil: (work: Promise<void>) => void }).waitUntil(worker.clients.claim());
});

// A new release waits until the page is idle: keptShell.ts sends this message.
worker.addEventListener("message", (event) => {
  if ((event as MessageEvent).data === "take-over") void worker.skipWaiting();
});
