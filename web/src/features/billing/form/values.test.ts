// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aBill, aBillable } from "@/testing/bills";
import { rowsOf } from "./rows";
import { billBody, blankBill, ticked, valuesOf } from "./values";

describe("the values of a bill", () => {
  it("start with today and no currency, which the customer brings", () => {
    expect(blankBill("2026-03-14")).toMatchObject({
      date: "2026-03-14",
      currency: "",
      customerId: null,
      lines: [],
    });
  });

  it("of a ticked line are the pieces left and the product's price and tax", () => {
    const line = aBillable({ quantity: 10, quantityBilled: 4, remaining: 6, price: 12.5 });
    expect(ticked(line, "USD")).toMatchObject({
      quantity: 6,
      price: 12.5,
      taxAmount: 16,
      remaining: 6,
    });
  });

  it("are sent without display-only fields", () => {
    const values = { ...valuesOf(aBill()), guideNumber: " G-1 ", shippingPrice: null };
    expect(billBody(values)).toEqual({
      customerId: 1,
      companyId: 2,
      date: "2026-03-14",
      customRegime: "EXD",
      currency: "USD",
      invoiceNumber: "F-1",
      guideNumber: "G-1",
      shippingPrice: 0,
      notes: "",
      lines: [{ salesOrderId: 1, position: 1, quantity: 6, price: 12.5, taxAmount: 16 }],
    });
  });
});

describe("the rows to tick", () => {
  const onBill = valuesOf(aBill()).lines;

  it("are the billable lines with the pieces left now", () => {
    const rows = rowsOf(
      onBill,
      [aBillable({ remaining: 2 }), aBillable({ position: 2 })],
      true,
      "USD",
    );
    expect(rows.map(({ key, remaining }) => [key, remaining])).toEqual([
      ["1-1", 2],
      ["1-2", 10],
    ]);
  });

  it("keep a line of the bill that a search hides, with its known pieces left", () => {
    const [first] = rowsOf(onBill, [aBillable({ position: 2 })], false, "USD");
    expect(first).toMatchObject({ key: "1-1", remaining: 6 });
  });

  it("have no pieces left for a line of the bill that the whole list lacks", () => {
    const [first] = rowsOf(onBill, [], true, "USD");
    expect(first).toMatchObject({ key: "1-1", remaining: 0 });
  });
});
