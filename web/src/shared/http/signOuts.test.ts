import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const KEY = "pendingSignOuts";
const fetched = vi.fn<(request: Request) => Promise<Response>>();

const answer = (status: number) => Promise.resolve(Response.json({}, { status }));
const offline = () => Promise.reject(new TypeError("Failed to fetch"));
const sent = () => fetched.mock.calls.map(([request]) => request.headers.get("Authorization"));

async function loadPage() {
  vi.resetModules();
  return import("./signOuts");
}

describe("a sign-out", () => {
  beforeEach(() => {
    localStorage.clear();
    fetched.mockReset();
    vi.stubGlobal("fetch", fetched);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([200, 401])("is forgotten once the server has answered %d", async (status) => {
    fetched.mockImplementation(() => answer(status));
    const { sendSignOuts, signOutAtServer } = await loadPage();
    signOutAtServer("one");
    expect(localStorage.getItem(KEY)).toBe('["one"]');
    await sendSignOuts();
    expect([sent(), localStorage.getItem(KEY)]).toEqual([["Bearer one"], null]);
  });

  it.each([
    ["no network", offline],
    ["a failing server", () => answer(503)],
    ["too many attempts", () => answer(429)],
  ])("is kept on %s, and sent again after 5 s", async (_what, fails) => {
    fetched.mockImplementation(fails);
    const { sendSignOuts, signOutAtServer } = await loadPage();
    signOutAtServer("one");
    await sendSignOuts();
    expect(localStorage.getItem(KEY)).toBe('["one"]');
    fetched.mockImplementation(() => answer(200));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  it("is sent by the next page when it loads", async () => {
    localStorage.setItem(KEY, '["one","two"]');
    fetched.mockImplementation(() => answer(200));
    const { sendSignOuts } = await loadPage();
    await sendSignOuts();
    expect(sent()).toEqual(["Bearer one", "Bearer two"]);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  it("is sent again when the network is back", async () => {
    fetched.mockImplementation(offline);
    const { sendSignOuts, signOutAtServer } = await loadPage();
    signOutAtServer("one");
    await sendSignOuts();
    fetched.mockImplementation(() => answer(200));
    window.dispatchEvent(new Event("online"));
    await sendSignOuts();
    expect(localStorage.getItem(KEY)).toBeNull();
  });
});
