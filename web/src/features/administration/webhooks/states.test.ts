// @vitest-environment node
import { describe, expect, it } from "vitest";
import { deliveryState, isKnown, isRead, reasonOf, stateOf } from "./states";

const GOOD = {
  active: true,
  accountActive: true,
  hasSecret: true,
  failingSince: null,
  stoppedAt: null,
};
const WHEN = "2026-03-02T18:00:00.000Z";

describe("a webhook", () => {
  it.each([
    [{}, "good"],
    [{ failingSince: WHEN }, "failing"],
    [{ hasSecret: false }, "noSecret"],
    [{ hasSecret: false, failingSince: WHEN }, "noSecret"],
    [{ accountActive: false, hasSecret: false }, "revoked"],
    [{ active: false, accountActive: false }, "paused"],
    [{ active: false, stoppedAt: WHEN }, "stopped"],
  ])("with %j is %s", (differs, state) => {
    expect(stateOf({ ...GOOD, ...differs })).toBe(state);
  });
});

describe("a delivery", () => {
  const row = { attempts: 1, deliveredAt: null, status: null, failure: null };

  it("waits before its first attempt, then fails until it arrives", () => {
    expect(deliveryState({ ...row, attempts: 0 })).toBe("waiting");
    expect(deliveryState(row)).toBe("failed");
    expect(deliveryState({ ...row, status: 200, deliveredAt: WHEN })).toBe("delivered");
  });

  it.each([
    [302, "redirect"],
    [400, "refused"],
    [401, "denied"],
    [403, "denied"],
    [404, "notFound"],
    [410, "gone"],
    [429, "busy"],
    [500, "broken"],
    [503, "broken"],
    [101, "other"],
  ])("answered with %i failed as %s", (status, reason) => {
    expect(reasonOf({ ...row, status })).toBe(reason);
  });

  it("has a reason if no answer came", () => {
    expect(reasonOf({ ...row, failure: "timeout" })).toBe("timeout");
    expect(reasonOf(row)).toBe("other");
  });

  it("has no reason if it arrived or was never tried", () => {
    expect(reasonOf({ ...row, status: 200, deliveredAt: WHEN })).toBeUndefined();
    expect(reasonOf({ ...row, attempts: 0 })).toBeUndefined();
  });
});

describe("an event", () => {
  it("may be read with any one of its permissions", () => {
    expect(isRead("line.moved", ["ListItems", "ShopFloor"])).toBe(true);
    expect(isRead("line.moved", ["ListItems"])).toBe(false);
    expect(isRead("line.moved", [])).toBe(false);
  });

  it("about one person is sent to no webhook", () => {
    expect(isKnown("line.moved")).toBe(true);
    expect(isKnown("session.ended")).toBe(false);
  });
});
