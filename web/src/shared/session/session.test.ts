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

  it("is written under the specified keys", () => {
    expect(localStorage.getItem("token")).toBe(aToken());
    expect(JSON.parse(localStorage.getItem("userData")!)).toMatchObject({ fullName: "Ana Ruiz" });
    expect(JSON.parse(localStorage.getItem("userPermissions")!)).toEqual(["ListSalesOrders"]);
    expect(localStorage.getItem("sesionUsuario")).toBe("7");
  });

  it("is of the plant's day, not of the browser's", () => {
    expect(localStorage.getItem("dateLogin")).toBe("2026-03-14");
  });

  it("follows the time zone that the token tells", async () => {
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

  it("keeps the page it expired on until it is shown again", async () => {
    const { expireSession, forgetReturnTo, readReturnTo } = await freshModule();
    window.location.hash = "#/operations/sales-orders/3?show=50";
    expireSession();
    expect(readReturnTo()).toBe("/operations/sales-orders/3?show=50");
    forgetReturnTo();
    expect(readReturnTo()).toBeNull();
  });

  it("keeps no page when the person signs out", async () => {
    const { readReturnTo, signOut } = await freshModule();
    window.location.hash = "#/operations/sales-orders";
    signOut();
    expect(readReturnTo()).toBeNull();
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
