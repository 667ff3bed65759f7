import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { expireSession, signOut, storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { recentElsewhere, useRecent, type Recent } from "./recent";

const ana = aSession();
const luis = aSession({ token: "luis", user: { ...ana.user, id: 8 } });
const order = (id: number): Recent => ({ kind: "order", path: `/orders/${id}`, name: `PO-${id}` });
const offered = (userId: number) => recentElsewhere(userId).map(({ name }) => name);

function show(record: Recent | undefined) {
  renderHook(() => useRecent(record)).unmount();
}

beforeEach(() => {
  localStorage.clear();
  storeSession(ana);
});

it("keeps the last eight records, each once, the newest first", () => {
  for (let id = 1; id <= 9; id += 1) show(order(id));
  show(order(3));
  show(undefined);
  expect(offered(7)).toEqual(["PO-3", "PO-9", "PO-8", "PO-7", "PO-6", "PO-5", "PO-4", "PO-2"]);
});

it("leaves out what is on screen", () => {
  show(order(1));
  const { unmount } = renderHook(() => useRecent(order(2)));
  expect(offered(7)).toEqual(["PO-1"]);
  unmount();
  expect(offered(7)).toEqual(["PO-2", "PO-1"]);
});

it("keeps the records of each user apart, and erases a user's own when they sign out", () => {
  show(order(1));
  storeSession(luis);
  show(order(2));
  expect([offered(7), offered(8)]).toEqual([["PO-1"], ["PO-2"]]);
  signOut();
  expect([offered(7), offered(8)]).toEqual([["PO-1"], []]);
});

it("erases a user's own when their session expires: the device is the next one's", () => {
  show(order(1));
  expireSession("inactivity");
  expect(offered(7)).toEqual([]);
});

it("reads only what has the form of a record", () => {
  const line = { kind: "line", path: "/l", name: "PO-1", position: 2 };
  const stored = [order(1), { ...line, position: "2" }, line, { kind: "order" }, null, "x"];
  localStorage.setItem("recent7", JSON.stringify(stored));
  expect(recentElsewhere(7)).toEqual([order(1), line]);
  localStorage.setItem("recent7", "{");
  expect(recentElsewhere(7)).toEqual([]);
});
