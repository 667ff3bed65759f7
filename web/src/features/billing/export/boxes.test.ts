// @vitest-environment node
import { expect, it } from "vitest";
import { aBill } from "@/testing/bills";
import {
  boxOf,
  exportBody,
  isFarFrom,
  leftOf,
  metalOf,
  sumOf,
  valuesOf,
  type BoxValues,
} from "./boxes";

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
  expect(sumOf([box(1, 0.1, 0.2), box(2, 0.2, 0.4)], bill.lines)).toEqual({
    pieces: 3,
    netKg: 0.3,
    grossKg: 0.6,
  });
});

it("counts the metal of a box without a typed net weight, if the ledger has all of its lines", () => {
  const weighed = [
    { ...line!, metalGrams: 25.5 },
    { ...line!, position: 2 },
  ];
  const empty: BoxValues = { ...box(2), netKg: null };
  expect(metalOf(weighed, empty.lines)).toBe(0.009);
  expect(sumOf([empty, box(1)], weighed).netKg).toBe(1.009);
  expect(metalOf(weighed, [...empty.lines, { ...place, position: 2, quantity: 1 }])).toBeNull();
  expect(metalOf(weighed, [])).toBeNull();
  expect(
    exportBody({ ...valuesOf(bill), boxes: [empty] }).boxes?.map(({ netKg }) => netKg),
  ).toEqual([null]);
});

it.each([
  [1, null, false],
  [1, 1.01, false],
  [1, 1.011, true],
  [0.1, 0.105, false],
  [0.1, 0.106, true],
  [1, 0.9, true],
])("with %s kg by the ledger, %s typed is far: %s", (metal, typed, far) => {
  expect(isFarFrom(metal, typed)).toBe(far);
});

it("sends the typed values, with empty measures as null", () => {
  const saved = {
    ...bill,
    export: {
      ...bill.export,
      incoterm: "FCA",
      place: " CDMX ",
      usdRate: 18.5,
      rateDay: "2026-03-13",
      paymentForm: "03",
      boxes: [{ number: 1, ...box(2) }],
    },
  };
  expect(exportBody(valuesOf(saved as typeof bill))).toEqual({
    incoterm: "FCA",
    place: "CDMX",
    usdRate: 18.5,
    rateDay: "2026-03-13",
    paymentForm: "03",
    boxes: [box(2)],
  });
});
