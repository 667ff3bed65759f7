// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aMovement, aRecord } from "@/testing/lines";
import { activityOf, isAbout, lastActivity } from "./lineActivity";

const left = { ...aRecord(), outputDate: "2026-03-14T16:00:00Z", outputUsername: "Eva" };

it("is news of a line, unless it is a forecast, which nobody made", () => {
  const line = { salesOrderId: 1, position: 1 };
  expect(isAbout(aMovement(), line)).toBe(true);
  expect(isAbout({ ...aMovement(), type: "line.forecast" }, line)).toBe(false);
});

describe("an event", () => {
  it("describes an entry", () => {
    const event = aMovement({}, { record: aRecord(), records: [aRecord()] });
    expect(activityOf(event)).toMatchObject({ kind: "in", process: "Vaciado", pieces: 10 });
  });

  it("adds up the pieces that left together", () => {
    const other = { ...left, id: 501, quantity: 3 };
    const stayed = { ...aRecord(), id: 502, quantity: 90 };
    const event = aMovement({}, { record: left, records: [left, other, stayed] });
    expect(activityOf(event)).toMatchObject({ kind: "out", pieces: 13 });
  });

  it("describes a release, a status and a change", () => {
    const released = aMovement({}, { record: left });
    expect(activityOf({ ...released, type: "line.released" })).toMatchObject({ kind: "release" });
    expect(activityOf({ ...released, type: "line.status-changed" })).toMatchObject({
      kind: "status",
      status: "InProcess",
    });
    expect(activityOf({ ...released, type: "line.changed" })).toMatchObject({ kind: "change" });
  });
});

it("distinguishes an undo from a release", () => {
  const exit = {
    outputDate: "2026-03-14T16:00:00Z",
    outputUsername: "Eva",
    outputNotes: "",
    releasedDate: "2026-03-14T16:01:00Z",
    releasedBy: "Eva",
    releaseReason: null,
    releaseNotes: "",
    scrapReason: null,
    outputReceivedAt: null,
  };
  const reopened = (undone: boolean) => ({ ...aRecord(), releasedExits: [{ ...exit, undone }] });
  const gone = (undone: boolean) => ({ ...reopened(true), deletedDate: exit.releasedDate, undone });
  for (const undone of [true, false]) {
    const kind = undone ? "undo" : "release";
    for (const record of [reopened(undone), gone(undone)]) {
      const event = aMovement({}, { record, records: [record] });
      expect(activityOf({ ...event, type: "line.released" })).toMatchObject({ kind });
    }
    const productionProcesses = [reopened(undone)];
    expect(lastActivity({ productionProcesses })).toMatchObject({ kind, who: "Eva" });
  }
});

describe("the last activity", () => {
  it("is null for a line that never moved", () => {
    expect(lastActivity({ productionProcesses: [] })).toBeNull();
  });

  it("names the user of the newest exit or release", () => {
    expect(lastActivity({ productionProcesses: [left] })).toMatchObject({
      kind: "out",
      who: "Eva",
    });
    const released = { ...left, deletedDate: "2026-03-14T18:00:00Z", releasedBy: "Jefe" };
    expect(lastActivity({ productionProcesses: [released, left] })).toMatchObject({
      kind: "release",
      who: "Jefe",
    });
  });
});
