// @vitest-environment node
import { expect, it } from "vitest";
import { aBill } from "@/testing/bills";
import { boxOf, exportBody, leftOf, sumOf, valuesOf, type BoxValues } from "./boxes";

const bill = aBill();
const [line] = bill.lines;
const place = { salesOrderId: line!.salesOrderId, position: line!.position };
const box = (quantity: number, netKg = 1, grossKg = 1.5): BoxValues => ({
  netKg,
  grossKg,
  lengthCm: null,
  widthCm: null,
  heightCm: null,
  lines: [{ ...place, quantity }],
});

it("returns the unpacked pieces, negative if the boxes hold too many", () => {
  const all = line!.quantity;
  expect(leftOf(bill, [])[0]?.left).toBe(all);
  expect(leftOf(bill, [box(1), box(1)])[0]?.left).toBe(all - 2);
  expect(leftOf(bill, [box(all), box(1)])[0]?.left).toBe(-1);
});

it("fills a new box with all unpacked pieces", () => {
  expect(boxOf(leftOf(bill, [box(1)])).lines[0]).toEqual({
    ...place,
    quantity: line!.quantity - 1,
  });
  expect(
    boxOf(leftOf(bill, [box(line!.quantity)])).lines.filter(
      ({ position, salesOrderId }) =>
        position === place.position && salesOrderId === place.salesOrderId,
    ),
  ).toEqual([]);
});

it("sums weights to the gram", () => {
  expect(sumOf([box(1, 0.1, 0.2), box(2, 0.2, 0.4)])).toEqual({
    pieces: 3,
    netKg: 0.3,
    grossKg: 0.6,
  });
});

it("sends the typed values, with empty measures as null", () => {
  const saved = {
    ...bill,
    export: { ...bill.export, incoterm: "FCA", place: " CDMX ", boxes: [{ number: 1, ...box(2) }] },
  };
  expect(exportBody(valuesOf(saved as typeof bill))).toEqual({
    incoterm: "FCA",
    place: "CDMX",
    boxes: [box(2)],
  });
});
