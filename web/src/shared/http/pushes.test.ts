import { webcrypto } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  browserName,
  fingerprintOf,
  keepRegistered,
  leaveHere,
  pushAbility,
  registeredHere,
  registerHere,
} from "./pushes";
import { api } from "./client";

vi.mock("./client", () => ({
  api: { POST: vi.fn<() => unknown>(), DELETE: vi.fn<() => unknown>() },
  call: (answer: unknown) => answer,
  QUIET: {},
}));

const PUBLIC_KEY = "BAECAw";
const KEY_BYTES = new Uint8Array([4, 1, 2, 3]).buffer;
const ENDPOINT = "https://push.example.com/send/1";

/** A subscription that the browser holds until it is given up. */
function aSubscription(endpoint = ENDPOINT, applicationServerKey: ArrayBuffer = KEY_BYTES) {
  return {
    endpoint,
    options: { applicationServerKey },
    toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe: vi.fn<() => Promise<boolean>>(async () => {
      held = null;
      return true;
    }),
  };
}
let held: ReturnType<typeof aSubscription> | null = null;
const pushManager = {
  getSubscription: async () => held,
  subscribe: vi.fn<(options: object) => Promise<unknown>>(async () => (held ??= aSubscription())),
};
const permission = { now: "granted" };

beforeEach(async () => {
  localStorage.clear();
  held = null;
  permission.now = "granted";
  vi.stubEnv("PROD", true);
  vi.stubGlobal("crypto", webcrypto); // jsdom has no digests
  vi.stubGlobal("PushManager", vi.fn<() => void>());
  vi.stubGlobal("Notification", {
    get permission() {
      return permission.now;
    },
    requestPermission: async () => permission.now,
  });
  const registration = { pushManager };
  vi.stubGlobal("navigator", {
    userAgent: "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36",
    serviceWorker: {
      register: async () => registration,
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
    },
  });
  const fingerprint = await fingerprintOf(ENDPOINT);
  vi.mocked(api.POST)
    .mockReset()
    .mockResolvedValue({ id: 5, fingerprint } as never);
  vi.mocked(api.DELETE)
    .mockReset()
    .mockResolvedValue({} as never);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.clearAllMocks();
});

it("registers this browser for the person, with a name that they know", async () => {
  expect(await registerHere(PUBLIC_KEY, 7)).toBe(true);
  expect(pushManager.subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: PUBLIC_KEY,
  });
  expect(api.POST).toHaveBeenCalledWith("/api/notices/devices", {
    body: { endpoint: ENDPOINT, keys: { p256dh: "p", auth: "a" }, label: "Chrome · Android" },
  });
  expect(registeredHere()).toMatchObject({ userId: 7, deviceId: 5, key: PUBLIC_KEY });
});

it("registers nothing if the person does not allow it", async () => {
  permission.now = "denied";
  expect(await registerHere(PUBLIC_KEY, 7)).toBe(false);
  expect(registeredHere()).toBeNull();
  expect(pushAbility()).toBe("blocked");
});

it("gives up a subscription for another key before it makes one", async () => {
  const old = aSubscription("https://push.example.com/send/0", new Uint8Array([4, 9]).buffer);
  held = old;
  await registerHere(PUBLIC_KEY, 7);
  expect(old.unsubscribe).toHaveBeenCalledOnce();
  expect(pushManager.subscribe).toHaveBeenCalledOnce();
});

it("asks nothing while browser and server have the same keys", async () => {
  await registerHere(PUBLIC_KEY, 7);
  vi.mocked(api.POST).mockClear();
  await keepRegistered(PUBLIC_KEY, 7);
  expect(api.POST).not.toHaveBeenCalled();
});

it("registers again if the server has another key, or the browser another endpoint", async () => {
  await registerHere(PUBLIC_KEY, 7);
  await keepRegistered("BAkJ", 7);
  expect(api.POST).toHaveBeenCalledTimes(2);
  expect(registeredHere()?.key).toBe("BAkJ");
  held = aSubscription("https://push.example.com/send/2", new Uint8Array([4, 9, 9]).buffer);
  await keepRegistered("BAkJ", 7);
  expect(api.POST).toHaveBeenCalledTimes(3);
});

it("gives itself up if the person takes back the permission", async () => {
  await registerHere(PUBLIC_KEY, 7);
  permission.now = "denied";
  await keepRegistered(PUBLIC_KEY, 7);
  expect(registeredHere()).toBeNull();
});

it("gives itself up here and at the server, even if one of them fails", async () => {
  await registerHere(PUBLIC_KEY, 7);
  const subscription = held;
  vi.mocked(api.DELETE).mockRejectedValue(new Error("no connection") as never);
  await leaveHere();
  expect(subscription?.unsubscribe).toHaveBeenCalledOnce();
  expect(api.DELETE).toHaveBeenCalledOnce();
  expect(registeredHere()).toBeNull();
  await leaveHere();
  expect(api.DELETE).toHaveBeenCalledOnce();
});

it("treats what another release stored as nothing", () => {
  for (const text of ["{", "null", "[]", '{"userId":7}']) {
    localStorage.setItem("pushes", text);
    expect(registeredHere()).toBeNull();
  }
});

it("is unsupported without a push service, and in a build for development", () => {
  vi.stubEnv("PROD", false);
  expect(pushAbility()).toBe("unsupported");
  vi.stubEnv("PROD", true);
  expect(pushAbility()).toBe("possible");
  vi.unstubAllGlobals();
  expect(pushAbility()).toBe("unsupported");
});

it.each([
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge · Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari", "Safari · iPhone"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"],
  ["curl/8", "?"],
])("%s is %s", (agent, name) => {
  expect(browserName(agent)).toBe(name);
});
