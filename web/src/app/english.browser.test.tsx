import { expect, it } from "vitest";
import { open, showApp } from "@/testing/app";
import { aLine, anOrder, aRecord, someInside } from "@/testing/lines";

const SPANISH = ["Anillo Violeta", "Vaciado"];
const LINE = aLine({
  quantity: 18,
  quantityInside: 18,
  status: "InProcess",
  itemName: "Anillo Violeta",
  itemNameEnglish: "Violet ring",
  standing: { ...aLine().standing, kind: "inside" },
  currentProductionProcess: { productionProcessId: 2, productionProcessName: "Vaciado" },
  lastProductionProcess: { productionProcessId: 2, productionProcessName: "Vaciado" },
  inside: [someInside({ quantity: 18 })],
  productionProcesses: [aRecord()],
  actions: {
    ...aLine().actions,
    movements: [
      {
        type: "out",
        productionProcessId: 2,
        productionProcessName: "Vaciado",
        maxQuantity: 18,
        weighs: "no",
      },
    ],
  },
});

it("shows staff who read English no Spanish name of a product or a process that has an English one", async () => {
  await showApp({
    at: "/operations/orders",
    language: "en",
    permissions: [
      "ListSalesOrders",
      "ListOrders",
      "SalesOrderPositionRecord",
      "SalesOrderPositionProcessOut",
    ],
    answers: {
      "GET /api/sales-order/positions": [LINE],
      "GET /api/sales-order/1/position/1": LINE,
      "GET /api/sales-order/1": anOrder({ items: [LINE] }),
    },
  });
  for (const [path, casting] of [
    ["/operations/orders", /18 in Casting/],
    ["/operations/sales-orders/1", /18 in Casting/],
    ["/operations/sales-orders/1/position/1/a", /Move 18 out of Casting/],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one page after the other
    await open(path);
    const text = () => document.body.textContent;
    await expect.poll(text).toMatch(casting);
    await expect.poll(text).toContain("Violet ring");
    for (const name of SPANISH) expect(text(), `${path} shows ${name}`).not.toContain(name);
    // oxlint-enable no-await-in-loop
  }
});
