import { beforeEach, describe, expect, it, vi } from "vitest";
import { aSession, aToken } from "@/testing/builders";

const MINE = "7";
const OPERATOR = { token: "operator.x", user: { id: 9, fullName: "Dora" }, expiresIn: 600 };

/** Load the modules as a page does. Storage stays. */
async function loadPage() {
  vi.resetModules();
  const session = await import("@/shared/session/session");
  const operator = await import("./operator");
  const storage = await import("./queue/storage");
  return { ...session, ...operator, ...storage };
}

const known = (userId: number) => ({ processId: 2, userId, station: {} as never, at: 1 });
const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);

describe("what a station keeps of a session", () => {
  beforeEach(async () => {
    localStorage.clear();
    sessionStorage.clear();
    const { keepStation, nameOperator, storeSession } = await loadPage();
    storeSession(aSession());
    nameOperator(OPERATOR, 2);
    await keepStation(known(Number(MINE)));
  });

  it("survives a reload of the page, in this tab only", async () => {
    expect(localStorage.getItem("stationOperator")).toBeNull();
    const { knownStation, readOperator } = await loadPage();
    expect(readOperator(2)?.user.fullName).toBe("Dora");
    expect(await knownStation(2, Number(MINE))).toMatchObject({ at: 1 });
    sessionStorage.clear();
    expect((await loadPage()).readOperator(2)).toBeNull();
  });

  it.each(["signOut", "expireSession"] as const)("is gone after %s", async (end) => {
    const page = await loadPage();
    page[end]();
    expect(page.readOperator(2)).toBeNull();
    expect(stored()).not.toContain("operator.x");
    expect(stored()).not.toContain("Dora");
    expect(await page.knownStation(2, Number(MINE))).toBeNull();
  });

  it("is gone if another tab ended the session", async () => {
    const page = await loadPage();
    localStorage.removeItem("token");
    window.dispatchEvent(new StorageEvent("storage", { key: "token" }));
    expect(page.readOperator(2)).toBeNull();
    expect(stored()).not.toContain("operator.x");
  });

  it("is gone if another user is signed in when the tab is opened again", async () => {
    localStorage.setItem("token", aToken({ sub: "8", jti: "other" }));
    const page = await loadPage();
    expect(page.readOperator(2)).toBeNull();
    expect(stored()).not.toContain("operator.x");
    expect(await page.knownStation(2, 8)).toBeNull();
  });

  it("is gone if the tab is opened again after the session ended", async () => {
    localStorage.removeItem("token");
    const page = await loadPage();
    expect(stored()).not.toContain("operator.x");
    expect(await page.knownStation(2, Number(MINE))).toBeNull();
  });

  it("includes that others than its user worked here, until the session ends", async () => {
    const token = aSession().token;
    const { isShared } = await import("@/shared/session/kept");
    expect(isShared(token)).toBe(true);
    expect(isShared(aToken({ sub: "8", jti: "other" }))).toBe(false);
    (await loadPage()).signOut();
    expect(isShared(token)).toBe(false);
  });

  it("is dropped if an earlier release kept the operator for every tab", async () => {
    localStorage.setItem("stationOperator", JSON.stringify({ token: "operator.x" }));
    const page = await loadPage();
    page.signOut();
    expect(stored()).not.toContain("operator.x");
  });
});
