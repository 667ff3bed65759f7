/** The ways of signing in beside the password, in a browser with and without passkeys. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import login from "@/locales/es/login.json";
import { startI18n } from "@/shared/i18n";
import { toast } from "@/shared/ui/toast";
import OtherDoors from "./OtherDoors";

let doors: unknown;
/** Paths of the requests. */
const asked: string[] = [];
const OPTIONS = { options: { challenge: "AAAA", rpId: "localhost" }, state: "s" };

beforeEach(async () => {
  await startI18n(["shared", "login"]);
  i18next.addResourceBundle("es", "login", login);
  localStorage.clear();
  doors = { company: null, companyOnly: false };
  asked.length = 0;
  vi.spyOn(toast, "error");
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (doors === null) return new Response("<html>", { status: 502 });
    return Response.json(pathname.endsWith("/doors") ? doors : OPTIONS);
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A browser that knows passkeys; `get` stands for the device. */
function withPasskeys(get: (asked: { signal: AbortSignal }) => Promise<unknown>, inField: boolean) {
  const known = { isConditionalMediationAvailable: async () => inField };
  vi.stubGlobal("PublicKeyCredential", known);
  vi.stubGlobal("navigator", { ...navigator, credentials: { get } });
}

it("offers the company's account by its name", async () => {
  doors = { company: "Joyería Sol", companyOnly: false };
  render(<OtherDoors onStep={() => {}} />);
  expect(await screen.findByRole("button", { name: "Entrar con Joyería Sol" })).toBeTruthy();
});

it("offers nothing and says nothing when the server does not answer", async () => {
  doors = null;
  render(<OtherDoors onStep={() => {}} />);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.queryByRole("button")).toBeNull();
  expect(toast.error).not.toHaveBeenCalled();
});

it("says nothing when the browser cannot offer passkeys in the field", async () => {
  const get = vi.fn<() => Promise<never>>(() =>
    Promise.reject(new DOMException("", "NotSupportedError")),
  );
  withPasskeys(get, true);
  render(<OtherDoors onStep={() => {}} />);
  await waitFor(() => expect(get).toHaveBeenCalled());
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(toast.error).not.toHaveBeenCalled();
});

/** What a device gives whose passkey was chosen in the field. */
const CHOSEN = {
  id: "one",
  response: {
    clientDataJSON: new ArrayBuffer(1),
    authenticatorData: new ArrayBuffer(1),
    signature: new ArrayBuffer(1),
    userHandle: null,
  },
};

const optionsAsked = () => asked.filter((path) => path.endsWith("/passkey/options")).length;

it("offers passkeys in the field again after the server refused one", async () => {
  const answering = globalThis.fetch;
  vi.stubGlobal("fetch", async (request: Request) =>
    request.url.endsWith("/passkey")
      ? Response.json({ code: "passkey_refused", message: "No" }, { status: 401 })
      : answering(request),
  );
  const given = [Promise.resolve(CHOSEN)];
  const get = vi.fn<() => Promise<unknown>>(() => given.shift() ?? new Promise(() => {}));
  withPasskeys(get, true);
  render(<OtherDoors onStep={() => {}} />);
  await waitFor(() => expect(get).toHaveBeenCalledTimes(2));
  expect(optionsAsked()).toBe(2);
  expect(toast.error).toHaveBeenCalledTimes(1);
});

it("offers passkeys in the field again before the hour of the offer ends, and only one at a time", async () => {
  vi.useFakeTimers();
  const signals: AbortSignal[] = [];
  withPasskeys(({ signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(new DOMException("", "AbortError"))),
    );
  }, true);
  const { unmount } = render(<OtherDoors onStep={() => {}} />);
  await vi.advanceTimersByTimeAsync(59 * 60_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(optionsAsked()).toBe(2);
  unmount();
  await vi.advanceTimersByTimeAsync(2 * 60 * 60_000);
  expect(optionsAsked()).toBe(2);
  expect(toast.error).not.toHaveBeenCalled();
});

it("says that this browser cannot, when the button was pressed, and nothing when it was canceled", async () => {
  const reasons = ["NotAllowedError", "SecurityError"];
  withPasskeys(() => Promise.reject(new DOMException("", reasons.shift())), false);
  render(<OtherDoors onStep={() => {}} />);
  const button = await screen.findByRole("button", { name: login.doors.passkey });
  fireEvent.click(button);
  await waitFor(() => expect(reasons).toHaveLength(1));
  expect(toast.error).not.toHaveBeenCalled();
  await waitFor(() => expect(button.getAttribute("aria-busy")).toBe("false"));
  fireEvent.click(button);
  await waitFor(() => expect(toast.error).toHaveBeenCalledWith(login.doors.impossible));
});
