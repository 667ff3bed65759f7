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

  it("is written under its five keys", () => {
    expect(localStorage.getItem("token")).toBe(aToken());
    expect(JSON.parse(localStorage.getItem("userData")!)).toMatchObject({ fullName: "Ana Ruiz" });
    expect(JSON.parse(localStorage.getItem("userPermissions")!)).toEqual(["ListSalesOrders"]);
    expect(localStorage.getItem("sesionUsuario")).toBe("7");
  });

  it("is of the plant's day, not of the browser's", () => {
    expect(localStorage.getItem("dateLogin")).toBe("2026-03-14");
  });

  it("follows the time zone that the token holds", async () => {
    const { storeSession } = await freshModule();
    storeSession(aSession({ token: aToken({ sub: "7", zone: "Asia/Tokyo" }) }));
    expect(localStorage.getItem("dateLogin")).toBe("2026-03-15");
  });

  it("is still there after a reload on the same day", async () => {
    const { getSession } = await freshModule();
    expect(getSession()?.user.fullName).toBe("Ana Ruiz");
  });

  it.each(KEYS)("is over when %s is missing", async (key) => {
    localStorage.removeItem(key);
    const { getSession, validateSession } = await freshModule();
    expect(getSession()).toBeNull();
    expect(validateSession()).toBe(false);
    expect(KEYS.map((each) => localStorage.getItem(each))).toEqual([null, null, null, null]);
  });

  it("is over on the next day", async () => {
    const { getSession, validateSession } = await freshModule();
    vi.setSystemTime(new Date("2026-03-15T06:00:01Z"));
    expect(validateSession()).toBe(false);
    expect(getSession()).toBeNull();
  });

  it("keeps the page it expired on for the same person, until it is shown again", async () => {
    const { expireSession, forgetReturnTo, readReturnTo, storeSession } = await freshModule();
    window.location.hash = "#/operations/sales-orders/3?show=50";
    expireSession();
    expect(readReturnTo()).toBeNull();
    storeSession(aSession());
    expect(readReturnTo()).toBe("/operations/sales-orders/3?show=50");
    forgetReturnTo();
    expect(readReturnTo()).toBeNull();
  });

  it("leads nobody else to the page it expired on", async () => {
    const { expireSession, readReturnTo, storeSession } = await freshModule();
    window.location.hash = "#/operations/sales-orders/3";
    expireSession();
    storeSession(aSession({ user: { ...aSession().user, id: 8 } }));
    expect(readReturnTo()).toBeNull();
  });

  it("keeps no page when the person signs out, though the page is left for the sign-in", async () => {
    const { askedFor, readEndReason, readReturnTo, signOut } = await freshModule();
    window.location.hash = "#/operations/sales-orders";
    signOut();
    askedFor("/operations/sales-orders");
    expect([readReturnTo(), readEndReason()]).toEqual([null, null]);
  });

  it("leads to a page that was asked for in a tab where nobody was signed in", async () => {
    const { askedFor, readReturnTo, signInShown, signOut } = await freshModule();
    signOut();
    signInShown();
    askedFor("/operations/orders?late=true");
    expect(readReturnTo()).toBe("/operations/orders?late=true");
  });

  it.each([
    ["a 401", "2026-03-15T05:40:00Z", undefined, "elsewhere"],
    ["a 401 after midnight", "2026-03-15T06:00:01Z", undefined, "midnight"],
    ["nobody there", "2026-03-15T05:40:00Z", "inactivity", "inactivity"],
  ] as const)("says why it ended: %s", async (_, now, reason, said) => {
    const { expireSession, readEndReason, storeSession } = await freshModule();
    vi.setSystemTime(new Date(now));
    expireSession(reason);
    expect(readEndReason()).toBe(said);
    storeSession(aSession());
    expect(readEndReason()).toBeNull();
  });

  it("says so where the tab was opened again on another day", async () => {
    vi.setSystemTime(new Date("2026-03-15T06:00:01Z"));
    const { readEndReason, validateSession } = await freshModule();
    validateSession();
    expect(readEndReason()).toBe("midnight");
  });

  it("that another tab ended says so, and leads the same person back", async () => {
    const { getSession, readEndReason, readReturnTo, storeSession } = await freshModule();
    window.location.hash = "#/operations/orders";
    localStorage.removeItem("token");
    window.dispatchEvent(new StorageEvent("storage", { key: "token" }));
    expect([getSession(), readEndReason()]).toEqual([null, "elsewhere"]);
    storeSession(aSession());
    expect(readReturnTo()).toBe("/operations/orders");
  });

  it("that ends while it is held ends when it is released", async () => {
    const { expireSession, getSession, holdSession } = await freshModule();
    const [one, other] = [holdSession(), holdSession()];
    expireSession();
    one();
    one();
    expect(getSession()).not.toBeNull();
    other();
    expect(getSession()).toBeNull();
  });

  it("that did not end while it was held goes on", async () => {
    const { getSession, holdSession } = await freshModule();
    holdSession()();
    expect(getSession()).not.toBeNull();
  });

  it("shows the newest name and rights of the person", async () => {
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

describe("who holds all of some permissions", () => {
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

  it("follows the rights that change while he is signed in", async () => {
    const { result, storePermissions } = await ask();
    act(() => storePermissions(["ListUsers"]));
    expect(result.current(["ListRoles"])).toBe(false);
    expect(result.current(["ListUsers"])).toBe(true);
  });
});
