import { expect, it } from "vitest";
import { aLine, aMovement, aRecord } from "@/testing/lines";
import { activityBetween } from "./useLineWrite";

const before = aLine({ status: "Approved" });

it("is no race while the line is as it was", () => {
  expect(activityBetween(before, before, null)).toBeNull();
});

it("names who moved the line, from its newest record", () => {
  const now = aLine({ version: 5, productionProcesses: [aRecord()] });
  expect(activityBetween(before, now, null)).toMatchObject({ kind: "in", who: "Luis Vega" });
});

it("does not blame an old record for a change of status", () => {
  const moved = aLine({ productionProcesses: [aRecord()] });
  const now = aLine({ version: 5, status: "Done", productionProcesses: [aRecord()] });
  expect(activityBetween(moved, now, null)).toMatchObject({
    kind: "status",
    status: "Done",
    who: null,
  });
});

it("believes the event of the very change, and no older one", () => {
  const now = aLine({ version: 5, status: "Done" });
  const event = { ...aMovement({ status: "Done" }), type: "line.status-changed" as const };
  expect(activityBetween(before, now, event)).toMatchObject({ kind: "status", who: "Luis Vega" });
  const older = aMovement({ version: 4 });
  expect(activityBetween(before, now, older)).toMatchObject({ who: null });
});
