// @vitest-environment node
import { expect, it } from "vitest";
import { aLine, anUndo } from "@/testing/lines";
import { stillUndoable } from "./UndoButton";

it("offers a movement until its time is up", () => {
  const line = aLine();
  const undo = [anUndo(), { ...anUndo(), recordId: 501, until: "2026-03-14T15:03:00Z" }];
  const offered = (now: string) =>
    stillUndoable({ actions: { ...line.actions, undo } }, Date.parse(now)).map(
      ({ recordId }) => recordId,
    );
  expect(offered("2026-03-14T15:02:59Z")).toEqual([500, 501]);
  expect(offered("2026-03-14T15:03:00Z")).toEqual([500]);
  expect(offered("2026-03-14T15:05:00Z")).toEqual([]);
});
