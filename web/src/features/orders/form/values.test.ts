import { describe, expect, it } from "vitest";
import { blankOrder, nextLine, orderBody } from "./values";

const ring = { id: 3, name: "Anillo" };
const typed = {
  ...blankOrder("2026-03-14"),
  customerId: 2,
  customerName: "Platería Norte",
  customerSalesOrderId: " PO-9 ",
  items: [{ ...nextLine(ring), quantity: 4, deliveryDate: "2026-04-01", notes: " brillante " }],
};

describe("a new order", () => {
  it("is sent without the names and without stray spaces", () => {
    expect(orderBody(typed)).toEqual({
      customerId: 2,
      customerSalesOrderId: "PO-9",
      salesOrderDate: "2026-03-14",
      notes: "",
      items: [
        {
          itemId: 3,
          quantity: 4,
          shipmentDate: null,
          deliveryDate: "2026-04-01",
          shippingDate: null,
          notes: "brillante",
        },
      ],
    });
  });

  it.each([null, "1.5", "abc", "1,200"])("is not sent with %j pieces", (quantity) => {
    const items = [{ ...typed.items[0]!, quantity }];
    expect(() => orderBody({ ...typed, items })).toThrow("Not a number");
  });

  it("gives the next line the dates of the one before, not its notes", () => {
    expect(nextLine(ring, typed.items[0])).toMatchObject({
      quantity: 1,
      deliveryDate: "2026-04-01",
      notes: "",
    });
  });
});
