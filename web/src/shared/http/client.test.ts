import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession, storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { ApiError } from "./ApiError";
import { api, call } from "./client";

function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  const sent: Request[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(request);
    return new Response(JSON.stringify(body), {
      status,
      headers: { "Content-Type": "application/json", ...headers },
    });
  });
  return sent;
}

const refused = { code: "line_not_approved", message: "No.", params: { a: 1 }, errors: [] };

describe("the client", () => {
  beforeEach(() => {
    localStorage.clear();
    storeSession(aSession());
    return () => vi.unstubAllGlobals();
  });

  it("sends the token and the language", async () => {
    localStorage.setItem("language", "en");
    const sent = answering(200, []);
    await call(api.GET("/api/sales-order"));
    expect(sent[0]!.url).toBe("http://obrador.test/api/sales-order");
    expect(sent[0]!.headers.get("Authorization")).toBe(`Bearer ${aSession().token}`);
    expect(sent[0]!.headers.get("Accept-Language")).toBe("en");
    expect(sent[0]!.headers.has("Idempotency-Key")).toBe(false);
  });

  it("gives every write a new idempotency key, and keeps a given one", async () => {
    const sent = answering(200, { ticket: "t", expiresIn: 30 });
    await call(api.POST("/api/live/ticket"));
    await call(api.POST("/api/live/ticket"));
    await call(api.POST("/api/live/ticket", { headers: { "Idempotency-Key": "mine" } }));
    const keys = sent.map((request) => request.headers.get("Idempotency-Key"));
    expect(keys[0]).toMatch(/^\d+-\d+-\d+-\d+$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe("mine");
  });

  it("throws the server's error", async () => {
    answering(409, refused);
    const error = await call(api.GET("/api/sales-order")).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: "line_not_approved", isConflict: true });
  });

  it("treats every success but 200 and 201 as an error", async () => {
    answering(202, {});
    await expect(call(api.GET("/api/sales-order"))).rejects.toMatchObject({ status: 202 });
  });

  it.each(["es", "en"])("reports a 204 as an error in %s", async (language) => {
    localStorage.setItem("language", language);
    const headers = { "Content-Type": "application/json" };
    vi.stubGlobal("fetch", async () => new Response(null, { status: 204, headers }));
    await expect(call(api.GET("/api/sales-order"))).rejects.toMatchObject({
      status: 204,
      isOffline: false,
    });
  });

  it("reports how long to wait after a throttled call", async () => {
    answering(429, { ...refused, code: "too_many_attempts" }, { "Retry-After": "60" });
    await expect(call(api.GET("/api/sales-order"))).rejects.toMatchObject({
      params: { retryAfter: 60 },
    });
  });

  it("ends the session on a 401 of any call", async () => {
    answering(401, { ...refused, code: "not_authenticated" });
    await expect(call(api.GET("/api/sales-order"))).rejects.toMatchObject({ status: 401 });
    expect(getSession()).toBeNull();
  });

  it("ends the session 1.5 s after a 401 of a read-mark, so that its message is seen", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    answering(401, { ...refused, code: "unauthenticated" });
    const mark = api.POST("/api/notifications/{notification_id}/read", {
      params: { path: { notification_id: 4 } },
    });
    await expect(call(mark)).rejects.toMatchObject({ status: 401 });
    vi.advanceTimersByTime(1_499);
    expect(getSession()).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(getSession()).toBeNull();
    vi.useRealTimers();
  });

  it("keeps the session on a rejected sign-in", async () => {
    answering(401, { ...refused, code: "invalid_credentials" });
    const body = { username: "a@b.mx", password: "x", rememberLogin: true };
    const attempt = call(api.POST("/identity/authentication/sign-in", { body }));
    await expect(attempt).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(getSession()).not.toBeNull();
  });

  it("keeps the new session on a 401 of an older session's call", async () => {
    vi.stubGlobal("fetch", async () => {
      storeSession(aSession({ token: "new.token.here" }));
      return new Response("{}", { status: 401 });
    });
    await expect(call(api.GET("/api/sales-order"))).rejects.toMatchObject({ status: 401 });
    expect(getSession()?.token).toBe("new.token.here");
  });

  it("reports a lost connection as offline", async () => {
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("Failed to fetch");
    });
    await expect(call(api.GET("/api/sales-order"))).rejects.toMatchObject({ isOffline: true });
  });
});
