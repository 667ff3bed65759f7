/** Records of piecework for tests. */
import type { Payable } from "@/contract";

/** Ten polished rings, none of them paid. */
export function aPayable(overrides: Partial<Payable> = {}): Payable {
  return {
    id: 1,
    salesOrderId: 1,
    position: 1,
    customerSalesOrderId: "A-1",
    customerId: 1,
    customerName: "Joyas",
    itemName: "Anillo",
    itemNameEnglish: "",
    productionProcessId: 2,
    productionProcessName: "Pulido",
    userId: 7,
    outputUsername: "Ana Torres",
    inputDate: "2026-03-02T12:00:00.000Z",
    outputDate: "2026-03-02T13:00:00.000Z",
    outputReceivedAt: null,
    quantity: 10,
    paidQuantity: 0,
    remainingQuantity: 10,
    remainingGrams: null,
    unit: "piece",
    price: 9.25,
    currency: "MXN",
    ...overrides,
  };
}
