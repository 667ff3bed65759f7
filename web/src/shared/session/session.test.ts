import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { aSession, aToken } from "@/testing/builders";

const KEYS = ["token", "userData", "dateLogin", "userPermissions"];

async function freshModule() {
  vi.resetModules();
  return import("./session");
}

describe("a stored session", () => {
  beforeEach(async () => {
    localStorage.clear();
    sessionStorage.clear();
    vi.useFakeTimers({ now: new Date("2026-03-15T05:30:00Z"), toFake: ["Date"] });
    const { storeSession } = await freshModule();
    storeSession(aSession());
    return () => vi.useRealTimers();
  });

  it("is stored under its five keys", () => {
    expect(localStorage.getItem("token")).toBe(aToken());
    expect(JSON.parse(localStorage.getItem("userData")!)).toMatchObject({ fullName: "Ana Ruiz" });
    expect(JSON.parse(localStorage.getItem("userPermissions")!)).toEqual(["ListSalesOrders"]);
    expect(localStorage.getItem("sesionUsuario")).toBe("7");
  });

  it("has the plant's day, not the browser's", () => {
    expect(localStorage.getItem("dateLogin")).toBe("2026-03-14");
  });

  it("uses the token's time zone", async () => {
    const { storeSession } = await freshModule();
    storeSession(aSession({ token: aToken({ sub: "7", zone: "Asia/Tokyo" }) }));
    expect(localStorage.getItem("dateLogin")).toBe("2026-03-15");
  });

  it("is still there after a reload on the same day", async () => {
    const { getSession } = await freshModule();
    expect(getSession()?.user.fullName).toBe("Ana Ruiz");
  });

  it.each(KEYS)("has ended if %s is missing", async (key) => {
    localStorage.removeItem(key);
    const { getSession, validateSession } = await freshModule();
    expect(getSession()).toBeNull();
    expect(validateSession()).toBe(false);
    expect(KEYS.map((each) => localStorage.getItem(each))).toEqual([null, null, null, null]);
  });

  it("ends on the next day", async () => {
    const { getSession, validateSession } = await freshModule();
    vi.setSystemTime(new Date("2026-03-15T06:00:01Z"));
    expect(validateSession()).toBe(false);
    expect(getSession()).toBeNull();
  });

  it("returns the same user to the page it expired on, until that page is shown", async () => {
    const { expireSession, forgetReturnTo, readReturnTo, storeSession } = await freshModule();
    window.location.hash = "#/operations/sales-orders/3?show=50";
    expireSession();
    expect(readReturnTo()).toBeNull();
    storeSession(aSession());
    expect(readReturnTo()).toBe("/operations/sales-orders/3?show=50");
    forgetReturnTo();
    expect(readReturnTo()).toBeNull();
  });

  it("does not return another user to the page it expired on", async () => {
    const { expireSession, readReturnTo, storeSession } = await freshModule();
    window.location.hash = "#/operations/sales-orders/3";
    expireSession();
    storeSession(aSession({ user: { ...aSession().user, id: 8 } }));
    expect(readReturnTo()).toBeNull();
  });

  it("does not return to the page on which the user signed out", async () => {
    const { askedFor, readEndReason, readReturnTo, signOut } = await freshModule();
    window.location.hash = "#/operations/sales-orders";
    signOut();
    askedFor("/operations/sales-orders");
    expect([readReturnTo(), readEndReason()]).toEqual([null, null]);
  });

  it("leads to a page that was requested while signed out", async () => {
    const { askedFor, readReturnTo, signInShown, signOut } = await freshModule();
    signOut();
    signInShown();
    askedFor("/operations/orders?late=true");
    expect(readReturnTo()).toBe("/operations/orders?late=true");
  });

  it.each([
    ["a 401", "2026-03-15T05:40:00Z", undefined, "elsewhere"],
    ["a 401 after midnight", "2026-03-15T06:00:01Z", undefined, "midnight"],
    ["inactivity", "2026-03-15T05:40:00Z", "inactivity", "inactivity"],
  ] as const)("stores why it ended: %s", async (_, now, reason, said) => {
    const { expireSession, readEndReason, storeSession } = await freshModule();
    vi.setSystemTime(new Date(now));
    expireSession(reason);
    expect(readEndReason()).toBe(said);
    storeSession(aSession());
    expect(readEndReason()).toBeNull();
  });

  it("stores that it ended at midnight if the tab is opened again on another day", async () => {
    vi.setSystemTime(new Date("2026-03-15T06:00:01Z"));
    const { readEndReason, validateSession } = await freshModule();
    validateSession();
    expect(readEndReason()).toBe("midnight");
  });

  it("that another tab ended stores why, and returns the same user to the page", async () => {
    const { getSession, readEndReason, readReturnTo, storeSession } = await freshModule();
    window.location.hash = "#/operations/orders";
    localStorage.removeItem("token");
    window.dispatchEvent(new StorageEvent("storage", { key: "token" }));
    expect([getSession(), readEndReason()]).toEqual([null, "elsewhere"]);
    storeSession(aSession());
    expect(readReturnTo()).toBe("/operations/orders");
  });

  it("that expires while it is held ends when the last hold is released", async () => {
    const { expireSession, getSession, holdSession } = await freshModule();
    const [one, other] = [holdSession(), holdSession()];
    expireSession();
    one();
    one();
    expect(getSession()).not.toBeNull();
    other();
    expect(getSession()).toBeNull();
  });

  it("that did not expire while it was held continues", async () => {
    const { getSession, holdSession } = await freshModule();
    holdSession()();
    expect(getSession()).not.toBeNull();
  });

  it("stores the user's newest name and permissions", async () => {
    const { getSession, storePermissions, storeUser } = await freshModule();
    storeUser({ ...aSession().user, fullName: "Ana Luna" });
    storePermissions(["ListUsers"]);
    expect(getSession()).toMatchObject({
      user: { fullName: "Ana Luna" },
      permissions: ["ListUsers"],
    });
    expect(localStorage.getItem("userPermissions")).toBe('["ListUsers"]');
  });
});

describe("useHoldsAll", () => {
  const ask = async () => {
    const { storePermissions, storeSession, useHoldsAll } = await freshModule();
    storeSession(aSession({ permissions: ["ListUsers", "ListRoles"] }));
    const { result } = renderHook(useHoldsAll);
    return { storePermissions, result };
  };

  it.each([
    [[], true],
    [["ListRoles"], true],
    [["ListRoles", "ListUsers"], true],
    [["ListUsers", "ListOrders"], false],
    [["ListOrders"], false],
  ] as const)("%s: %s", async (permissions, answer) => {
    const { result } = await ask();
    expect(result.current(permissions)).toBe(answer);
  });

  it("follows changes of the permissions", async () => {
    const { result, storePermissions } = await ask();
    act(() => storePermissions(["ListUsers"]));
    expect(result.current(["ListRoles"])).toBe(false);
    expect(result.current(["ListUsers"])).toBe(true);
  });
});
