import { expect, it } from "vitest";
import type { LineDocument } from "@/contract";
import { aBoard } from "@/testing/floor";
import { aForecast } from "@/testing/forecasts";
import { aMovement, someInside, someWaiting } from "@/testing/lines";
import { floorOf, viewOf } from "./boardView";

let ids = 0;

/** A line with this risk of being late, which has pieces inside Vaciado or waiting for it. */
function aLine(risk: "low" | "medium" | "high", place: Partial<LineDocument>): LineDocument {
  ids += 1;
  const { line } = aMovement().data;
  const plain = { inside: [], waiting: [], late: false, forecast: aForecast({ risk }) };
  return { ...line, ...plain, id: ids, salesOrderId: ids, ...place };
}

const inside = () => ({ inside: [someInside({ recordId: 500 + ids })] });
const waiting = () => ({ waiting: [someWaiting()] });

it("puts lines that will be late behind the late ones, inside and waiting", () => {
  const calm = aLine("low", inside());
  const likely = aLine("high", inside());
  const late = aLine("high", { ...inside(), late: true });
  const waits = aLine("high", waiting());
  const doubtful = aLine("medium", waiting());
  const view = viewOf(floorOf({ ...aBoard(), lines: [calm, likely, late, waits, doubtful] }));
  expect(view.lanes[0]!.cards.map(({ salesOrderId }) => salesOrderId)).toEqual(
    [late, likely, waits, calm].map(({ id }) => id),
  );
  expect(view.lateLines).toBe(1);
});

it("marks the pieces of a line that is likely late, until it is late", () => {
  const line = aLine("high", inside());
  const marks = (late: boolean) =>
    floorOf({ ...aBoard(), lines: [{ ...line, late }] }).lanes[0]!.cards;
  expect(marks(false)).toMatchObject([{ likelyLate: true, late: false }]);
  expect(marks(true)).toMatchObject([{ likelyLate: false, late: true }]);
});
