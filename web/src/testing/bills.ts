/** Bills and billable lines for tests. */
import type { BillableLine, Delivery } from "@/contract";

/** Ten finished rings, none of them billed. */
export function aBillable(overrides: Partial<BillableLine> = {}): BillableLine {
  return {
    salesOrderId: 1,
    position: 1,
    customerSalesOrderId: "PO-1",
    customerId: 1,
    customerName: "Platería Norte",
    itemId: 3,
    itemKey: "AN-1",
    itemName: "Anillo",
    itemNameEnglish: "",
    thumbnail: null,
    quantity: 10,
    quantityBilled: 0,
    remaining: 10,
    price: 12.5,
    currency: "USD",
    taxAmount: 16,
    deliveryDate: null,
    ...overrides,
  };
}

/** A pre-bill for six of these rings. */
export function aBill(overrides: Partial<Delivery> = {}): Delivery {
  return {
    kind: "bill",
    id: 7,
    number: "P-0007",
    preBillNumber: "P-0007",
    status: "PreBill",
    customerId: 1,
    customerName: "Platería Norte",
    companyId: 2,
    companyName: "Taller de Plata",
    date: "2026-03-14",
    invoiceNumber: "F-1",
    guideNumber: "G-1",
    shippingPrice: 0,
    customRegime: "EXD",
    notes: "",
    currency: "USD",
    subtotal: 75,
    tax: 12,
    total: 87,
    metalGrams: null,
    createdAt: "2026-03-14T15:00:00Z",
    createdBy: "Ana Ruiz",
    billedAt: null,
    billedBy: null,
    canceledAt: null,
    canceledBy: null,
    version: 1,
    lines: [
      {
        salesOrderId: 1,
        position: 1,
        customerSalesOrderId: "PO-1",
        itemId: 3,
        itemKey: "AN-1",
        itemName: "Anillo",
        itemNameEnglish: "",
        tariffItem: "71131199",
        quantity: 6,
        price: 12.5,
        taxAmount: 16,
        amount: 75,
        tax: 12,
        remaining: 6,
        metalGrams: null,
      },
    ],
    offers: { edit: true, bill: true, cancel: true, export: true, numbers: true },
    export: { incoterm: "", place: "", boxes: [], pieces: 0, netKg: 0, grossKg: 0 },
    actions: { edit: true, bill: true, cancel: true, export: true, numbers: true, print: true },
    ...overrides,
  };
}
