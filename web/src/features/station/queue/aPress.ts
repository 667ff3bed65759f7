/** Make movements for tests: as a station's buttons press them, and as its queue keeps them. */
import type { MovementQueue } from "./MovementQueue";
import type { Movement } from "./storage";

type Pressed = Parameters<MovementQueue["press"]>[0];

let pressed = 0;

export function aPress(salesOrderId: number, change: Partial<Pressed> = {}): Pressed {
  pressed += 1;
  return {
    key: `key-${pressed}`,
    userId: 7,
    userName: "Ana Ruiz",
    operatorToken: null,
    type: "in",
    productionProcessId: 2,
    productionProcessName: "Vaciado",
    to: null,
    line: {
      salesOrderId,
      position: 1,
      customerSalesOrderId: `PO-${salesOrderId}`,
      customerName: "Platería Norte",
      itemName: "Anillo",
      image: null,
      quantity: 10,
      deliveryDate: null,
      late: false,
    },
    quantity: 10,
    notes: "",
    madeAt: "2026-03-14T15:00:00Z",
    undo: null,
    ...change,
  };
}

export function aMovement(change: Partial<Movement> = {}): Movement {
  return { ...aPress(1), turn: 1, untimed: false, inDoubt: false, refused: null, ...change };
}
