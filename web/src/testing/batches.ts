/** Batches for tests. */
import type { Batch, BatchCard } from "@/contract";

/** Batch 12 at process 2, Vaciado, with pieces of the lines 1-1 and 1-2. */
export function aBatchCard(card: Partial<BatchCard> = {}): BatchCard {
  return {
    kind: "batch-card",
    id: 12,
    version: 1,
    number: 4,
    name: "",
    state: "inside",
    productionProcessId: 2,
    productionProcessName: "Vaciado",
    quantity: 9,
    enteredAt: "2026-03-14T15:00:00Z",
    lines: [
      { salesOrderId: 1, position: 1, quantity: 6 },
      { salesOrderId: 1, position: 2, quantity: 3 },
    ],
    ...card,
  };
}

function aBatchLine(id: number, quantity: number): Batch["lines"][number] {
  return {
    id,
    lineId: id,
    salesOrderId: 1,
    position: id,
    customerSalesOrderId: "PO-1",
    customerName: "Platería Norte",
    itemKey: "A-1",
    itemName: "Anillo",
    itemNameEnglish: "",
    thumbnail: null,
    quantity,
    netGrams: null,
    deliveryDate: null,
    lineStatus: "Approved",
  };
}

/** The same batch before it is moved in. */
export function aBatch(batch: Partial<Batch> = {}): Batch {
  return {
    kind: "batch",
    press: null,
    id: 12,
    version: 3,
    number: 4,
    name: "",
    state: "open",
    productionProcessId: 2,
    productionProcessName: "Vaciado",
    alloyId: null,
    alloyName: null,
    notes: "",
    waxGrams: null,
    buttonGrams: null,
    wantedGrams: null,
    issuedGrams: null,
    addedGrams: null,
    goodGrams: null,
    scrapGrams: null,
    lossGrams: null,
    lossPerMille: null,
    linesCount: 2,
    quantity: 9,
    createdAt: "2026-03-14T14:00:00Z",
    createdBy: "Ana Ruiz",
    enteredAt: null,
    leftAt: null,
    closedAt: null,
    closedBy: null,
    weighs: "no",
    allowedLoss: null,
    lines: [aBatchLine(1, 6), aBatchLine(2, 3)],
    ...batch,
  };
}
