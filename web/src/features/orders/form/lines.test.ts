// @vitest-environment node
import { describe, expect, it } from "vitest";
import { aLine, anOrder } from "@/testing/lines";
import {
  blankOrder,
  copyOf,
  fromDraft,
  isBlank,
  newLine,
  orderBody,
  problemsOf,
  twiceIn,
  withoutPictures,
  withRoom,
  written,
} from "./lines";
import { DATES, each, TEXTS } from "./values";

const ring = { id: 3, key: "AN-1", name: "Anillo", nameEnglish: "", thumbnail: null };
const chain = { id: 4, key: "CA-1", name: "Cadena", nameEnglish: "", thumbnail: null };
const typed = {
  ...blankOrder("2026-03-14"),
  customerId: 2,
  customerName: "Platería Norte",
  customerSalesOrderId: " PO-9 ",
  items: [newLine({ item: ring, quantity: "4", notes: " brillante " })],
};

describe("a new order", () => {
  it("is sent without display names and with trimmed texts", () => {
    expect(orderBody(typed)).toEqual({
      customerId: 2,
      customerSalesOrderId: "PO-9",
      salesOrderDate: "2026-03-14",
      notes: "",
      items: [
        {
          itemId: 3,
          quantity: 4,
          ...each(DATES, () => null),
          ...each(TEXTS, () => ""),
          notes: "brillante",
        },
      ],
    });
  });

  it("applies its dates to lines without their own", () => {
    const dates = { shipmentDate: null, deliveryDate: "2026-04-01", shippingDate: "2026-04-02" };
    const items = [newLine({ item: ring, quantity: "1", deliveryDate: "2026-05-05" })];
    expect(orderBody({ ...typed, dates, items }).items?.[0]).toMatchObject({
      shipmentDate: null,
      deliveryDate: "2026-05-05",
      shippingDate: "2026-04-02",
    });
  });

  it("is sent with the day that was offered for each product, beside the chosen one", () => {
    const items = [
      newLine({ item: ring, quantity: "1", deliveryDate: "2026-05-05" }),
      newLine({ item: chain, quantity: "1" }),
    ];
    const [one, other] = orderBody({ ...typed, items }, new Map([[3, "2026-04-20"]])).items ?? [];
    expect(one).toMatchObject({ deliveryDate: "2026-05-05", offeredDate: "2026-04-20" });
    expect(other).not.toHaveProperty("offeredDate");
  });

  it.each(["", "1.5", "abc", "1,200"])("is not sent with %j pieces", (quantity) => {
    const items = [{ ...typed.items[0]!, quantity }];
    expect(() => orderBody({ ...typed, items })).toThrow("Not a number");
  });

  it("copied from another has its lines that are not canceled, no PO# and no dates", () => {
    const order = anOrder({
      notes: "urge",
      items: [
        aLine({ position: 1, quantity: 5, notes: "pulir", deliveryDate: "2026-01-01" }),
        aLine({ position: 2, status: "Canceled" }),
      ],
    });
    const copy = copyOf(order, "2026-03-14");
    expect(copy).toMatchObject({
      customerId: order.customerId,
      customerSalesOrderId: "",
      salesOrderDate: "2026-03-14",
      notes: "urge",
    });
    expect(copy.items).toHaveLength(1);
    expect(copy.items[0]).toMatchObject({ quantity: "5", notes: "pulir", deliveryDate: "" });
  });

  it("copied for a customer who wants a line again has this line alone, with the pieces asked for", () => {
    const items = [
      aLine({ position: 1, quantity: 5 }),
      aLine({ position: 2, quantity: 7, notes: "pulir", status: "Canceled" }),
    ];
    const copied = (quantity: number | null) =>
      copyOf(anOrder({ items }), "2026-03-14", { position: 2, quantity }).items;
    expect(copied(40)).toMatchObject([{ quantity: "40", notes: "pulir" }]);
    expect(copied(null)).toMatchObject([{ quantity: "7", notes: "pulir" }]);
  });

  it("keeps no file in a draft, and restores its lines with new ids", () => {
    const picture = { file: new File([""], "a.png"), preview: "blob:1" };
    const kept = withoutPictures({ ...typed, items: [newLine({ item: ring, picture })] });
    expect(kept.items[0]?.picture).toBeNull();
    expect(fromDraft(kept).items[0]?.id).not.toBe(kept.items[0]?.id);
  });
});

describe("the lines of the grid", () => {
  it("end with exactly one blank line", () => {
    const [line] = typed.items;
    expect(withRoom([]).map(isBlank)).toEqual([true]);
    expect(withRoom([line!]).map(isBlank)).toEqual([false, true]);
    expect(withRoom(withRoom([line!]))).toHaveLength(2);
    expect(written(withRoom([line!]))).toEqual([line]);
  });

  it("report a product that an earlier line has, until the user keeps both", () => {
    const [one, other, third] = [ring, chain, ring].map((item) => newLine({ item, quantity: "1" }));
    expect([...twiceIn([one!, other!, third!])]).toEqual([
      [third!.id, { number: 1, id: one!.id, closed: false }],
    ]);
    expect(twiceIn([one!, other!, { ...third!, kept: true }]).size).toBe(0);
  });

  it.each([
    [{}, []],
    [{ item: ring, quantity: "3" }, []],
    [{ quantity: "3" }, ["item"]],
    [{ search: "ani", quantity: "3" }, ["item"]],
    [{ item: ring }, ["quantity"]],
    [{ item: ring, quantity: "1,200" }, ["quantity"]],
    [{ item: ring, quantity: "3", deliveryDate: "mañana" }, ["deliveryDate"]],
    [{ item: ring, quantity: "3", notes: "x".repeat(201) }, ["notes"]],
  ])("%j has wrong values in %j", (fields, wrong) => {
    expect(problemsOf(newLine(fields)).map(({ field }) => field)).toEqual(wrong);
  });
});
