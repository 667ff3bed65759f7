/** Pushes to this browser: which user gets them, and how the browser registers and unregisters. */
import { external } from "@/shared/external";
import { ofBrowser, parseStored } from "@/shared/stored";
import { api, call, QUIET } from "./client";

const KEY = "pushes";
const SCRIPT = "./sw.js";

/** The registration of this browser: its user, its device id, and the server's public key. */
export interface Registered {
  userId: number;
  deviceId: number;
  /** SHA-256 of the endpoint. The server's list identifies this browser by it. */
  fingerprint: string;
  key: string;
}

/** Counts the changes of the stored registration, in this tab or another. */
const changes = external(0);
const noteChange = () => changes.set(changes.get() + 1);
window.addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) noteChange();
});

let read: { text: string | null; value: Registered | null } = { text: null, value: null };

/**
 * Return the registration of this browser; null if there is none. It is the same object while
 * nothing changes.
 */
export function registeredHere(): Registered | null {
  const text = ofBrowser.getItem(KEY);
  if (text !== read.text) {
    const value = parseStored(text);
    read = { text, value: isRegistered(value) ? value : null };
  }
  return read.value;
}

export function useRegisteredHere(): Registered | null {
  return changes.use(registeredHere);
}

function isRegistered(value: unknown): value is Registered {
  return typeof value === "object" && value !== null && "userId" in value && "deviceId" in value;
}

function store(registered: Registered | null): void {
  if (registered === null) ofBrowser.removeItem(KEY);
  else ofBrowser.setItem(KEY, JSON.stringify(registered));
  noteChange();
}

export type PushAbility = "unsupported" | "blocked" | "possible";

/**
 * Return whether this browser can get pushes. Only a production build has the service worker that
 * shows them.
 */
export function pushAbility(): PushAbility {
  const parts = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!parts || !import.meta.env.PROD) return "unsupported";
  return Notification.permission === "denied" ? "blocked" : "possible";
}

/**
 * Register this browser for the user's pushes, after asking them. Returns whether they allowed it. Throws ApiError, or a
 * DOMException if the browser's push service refuses.
 */
export async function registerHere(publicKey: string, userId: number): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await register(publicKey, userId);
  return true;
}

async function register(publicKey: string, userId: number): Promise<void> {
  await navigator.serviceWorker.register(SCRIPT);
  const { pushManager } = await navigator.serviceWorker.ready;
  const held = await pushManager.getSubscription();
  const current = held !== null && keyOf(held) === publicKey ? held : null;
  // A subscription for another key refuses every push, and prevents a second subscription.
  if (current === null) await held?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = current ?? (await pushManager.subscribe(options));
  const keys = subscription.toJSON().keys ?? {};
  const body = {
    endpoint: subscription.endpoint,
    keys: { p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" },
    label: browserName(navigator.userAgent),
  };
  const { id: deviceId, fingerprint } = await call(api.POST("/api/notices/devices", { body }));
  store({ userId, deviceId, fingerprint, key: publicKey });
}

/**
 * Register again if the browser or the server has changed its keys. Unregister the browser if the
 * user has withdrawn the permission.
 */
export async function keepRegistered(publicKey: string, userId: number): Promise<void> {
  const held = registeredHere();
  if (held === null || held.userId !== userId || publicKey === "") return undefined;
  if (pushAbility() !== "possible" || Notification.permission !== "granted") return leaveHere();
  const subscription = await currentSubscription();
  const endpoint = subscription?.endpoint ?? "";
  const isSame = (await fingerprintOf(endpoint)) === held.fingerprint && held.key === publicKey;
  return isSame ? undefined : register(publicKey, userId);
}

/**
 * Unregister this browser, here and at the server, so that its next user gets no pushes of this
 * user.
 */
export async function leaveHere(): Promise<void> {
  const held = registeredHere();
  if (held === null) return;
  store(null);
  const params = { path: { device_id: held.deviceId } };
  // One of the two is enough: after a push to an endpoint that is gone, the server forgets it.
  await Promise.allSettled([
    call(api.DELETE("/api/notices/devices/{device_id}", { params, headers: QUIET })),
    currentSubscription().then((subscription) => subscription?.unsubscribe()),
  ]);
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration(SCRIPT);
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** The server's key for which a subscription was made, as the server writes it. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  const text = btoa(String.fromCodePoint(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function fingerprintOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The first match names the browser. The order matters: an agent string also contains names of other browsers. */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac", "Mac"],
  ["Linux", "Linux"],
] as const;

/** A name by which a person knows a browser: `Chrome · Android`. */
export function browserName(agent: string): string {
  const nameIn = (table: readonly (readonly [string, string])[]) =>
    table.find(([part]) => agent.includes(part))?.[1] ?? "";
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean).join(" · ") || "?";
}
