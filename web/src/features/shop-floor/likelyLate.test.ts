import { expect, it } from "vitest";
import type { LineDocument } from "@/contract";
import { aBoard } from "@/testing/floor";
import { aMovement, someInside, someWaiting } from "@/testing/lines";
import { floorOf, viewOf } from "./boardView";

let ids = 0;

/** A line of these parts of Hoy, which has pieces inside Vaciado or waiting for it. */
function aLine(attention: LineDocument["attention"], place: Partial<LineDocument>): LineDocument {
  ids += 1;
  const { line } = aMovement().data;
  const plain = { inside: [], waiting: [], late: false, attention };
  return { ...line, ...plain, id: ids, salesOrderId: ids, ...place };
}

const inside = () => ({ inside: [someInside()] });
const waiting = () => ({ waiting: [someWaiting()] });

it("puts lines that will be late behind the late ones, inside and waiting", () => {
  const calm = aLine([], inside());
  const likely = aLine(["likelyLate"], inside());
  const late = aLine(["late"], { ...inside(), late: true });
  const waits = aLine(["likelyLate"], waiting());
  const doubtful = aLine([], waiting());
  const view = viewOf(floorOf({ ...aBoard(), lines: [calm, likely, late, waits, doubtful] }));
  expect(view.lanes[0]!.cards.map(({ salesOrderId }) => salesOrderId)).toEqual(
    [late, likely, waits, calm].map(({ id }) => id),
  );
  expect(view.lateLines).toBe(1);
});

it("marks the pieces of a line that is likely late, until it is late", () => {
  const line = aLine(["likelyLate"], inside());
  const late: LineDocument = { ...line, late: true, attention: ["late"] };
  const marks = (one: LineDocument) => floorOf({ ...aBoard(), lines: [one] }).lanes[0]!.cards;
  expect(marks(line)).toMatchObject([{ likelyLate: true, late: false }]);
  expect(marks(late)).toMatchObject([{ likelyLate: false, late: true }]);
});
