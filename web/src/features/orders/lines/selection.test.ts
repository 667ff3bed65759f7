import { expect, it } from "vitest";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aLine } from "@/testing/lines";
import { forEachLine, offeredTo, readyToBill } from "./selection";

it("returns the lines for which the server offers a status, to users who may change it", () => {
  const offered = aLine({ position: 1, offers: { ...aLine().offers, statuses: ["Approved"] } });
  const other = aLine({ position: 2 });
  storeSession(aSession({ permissions: ["UpdateSalesOrderPositionStatus"] }));
  expect(offeredTo([offered, other], "Approved")).toEqual([offered]);
  storeSession(aSession({ permissions: ["ListOrders"] }));
  expect(offeredTo([offered, other], "Approved")).toEqual([]);
});

it("returns the lines to bill and counts their customers", () => {
  const toBill = aLine({ position: 1, attention: ["late", "toBill"], customerId: 7 });
  const late = aLine({ position: 2, attention: ["late"] });
  const other = aLine({ position: 3, attention: ["toBill"], customerId: 8 });
  expect(readyToBill([toBill, late])).toEqual({ ready: [toBill], customers: 1 });
  expect(readyToBill([toBill, other]).customers).toBe(2);
  expect(readyToBill([late])).toEqual({ ready: [], customers: 0 });
});

it("continues after a refusal and counts the refused lines by message", async () => {
  const lines = [1, 2, 3, 4].map((position) => aLine({ position }));
  const tried: number[] = [];
  const outcome = await forEachLine(
    lines,
    async ({ position }) => {
      if (position !== 2) throw new Error(position === 4 ? "late" : "stale");
    },
    (reason) => (reason as Error).message,
    (count) => tried.push(count),
  );
  expect(tried).toEqual([1, 2, 3, 4]);
  expect(outcome).toEqual({
    done: 1,
    left: [lines[0], lines[2], lines[3]],
    refused: [
      { message: "stale", count: 2 },
      { message: "late", count: 1 },
    ],
  });
});
