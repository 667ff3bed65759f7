import { beforeAll, beforeEach, expect, it, vi } from "vitest";

vi.mock("workbox-precaching", () => ({
  cleanupOutdatedCaches: () => {},
  precacheAndRoute: () => {},
}));

const SCOPE = "https://obrador.example.com/";
const showNotification = vi.fn<(title: string, options: object) => Promise<void>>(async () => {});
const openWindow = vi.fn<(address: string) => Promise<void>>(async () => {});
const page = {
  focus: vi.fn<() => Promise<void>>(async () => {}),
  navigate: vi.fn<(address: string) => Promise<void>>(async () => {}),
};
let pages: object[] = [];
let work: Promise<unknown>[] = [];

/** Let the worker handle an event with these fields, and wait for what it says it waits for. */
async function handle(type: string, fields: object): Promise<void> {
  const event = Object.assign(new Event(type), {
    ...fields,
    waitUntil: (one: Promise<unknown>) => void work.push(one),
  });
  globalThis.dispatchEvent(event);
  await Promise.all(work);
}

beforeAll(async () => {
  Object.assign(globalThis, {
    keptFiles: [],
    registration: { scope: SCOPE, showNotification },
    clients: { claim: async () => {}, matchAll: async () => pages, openWindow },
  });
  await import("../src/sw");
});
beforeEach(() => {
  pages = [];
  work = [];
  vi.clearAllMocks();
});

const pushed = (json: () => unknown) => handle("push", { data: { json } });
const clicked = (data: unknown) => handle("notificationclick", { notification: { close, data } });
const close = vi.fn<() => void>();

it("shows what a push says, in place of one with the same tag", async () => {
  await pushed(() => ({
    title: "Obrador",
    body: "Líneas atrasadas: 3",
    tag: "late",
    path: "/operations/orders?late=true",
  }));
  expect(showNotification).toHaveBeenCalledExactlyOnceWith("Obrador", {
    body: "Líneas atrasadas: 3",
    tag: "late",
    renotify: true,
    icon: "./icon-192.png",
    data: "/operations/orders?late=true",
  });
});

it("shows a push that it cannot read without a text: a browser must show every push", async () => {
  await pushed(() => JSON.parse("{") as unknown);
  await handle("push", { data: null });
  expect(showNotification).toHaveBeenCalledTimes(2);
  expect(showNotification).toHaveBeenCalledWith("Obrador", expect.objectContaining({ body: "" }));
});

it("opens the page of a push in a window that is open", async () => {
  pages = [page];
  await clicked("/operations/orders?late=true");
  expect(close).toHaveBeenCalledOnce();
  expect(page.focus).toHaveBeenCalledOnce();
  expect(page.navigate).toHaveBeenCalledWith(`${SCOPE}#/operations/orders?late=true`);
  expect(openWindow).not.toHaveBeenCalled();
});

it("opens a window if none is open, and stays in the product whatever a push says", async () => {
  await clicked("//evil.test/home");
  expect(openWindow).toHaveBeenCalledWith(`${SCOPE}#//evil.test/home`);
});
