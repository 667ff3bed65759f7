/** Undo the worker's own movements: the last press, or one of the last movements at the station. */
import type { Line, Station } from "@/contract";
import { newKey } from "@/shared/http/client";
import { operatorWorked } from "./operator";
import { sideOf } from "./queue/sending";
import type { Movement, StationLine } from "./queue/storage";
import { movements } from "./queue/useMovements";
import { serverTime } from "./serverTime";
import { scanAt } from "./station.api";
import type { Worker } from "./types";

type Place = Pick<StationLine, "salesOrderId" | "position" | "customerSalesOrderId" | "itemName">;

interface Made {
  recordId: number;
  type: "in" | "out" | "scrap";
  quantity: number;
}

export function useUndo({ process }: Station, worker: Worker) {
  const { productionProcessId: id, productionProcessName } = process;

  /** Queue the undo like a movement, because the server may be unreachable. */
  async function record(place: Place, { recordId, type, quantity }: Made): Promise<void> {
    operatorWorked(worker);
    const { salesOrderId, position, customerSalesOrderId, itemName } = place;
    const known = { salesOrderId, position, customerSalesOrderId, itemName };
    await movements.press({
      key: newKey(),
      userId: worker.id,
      userName: worker.fullName,
      operatorToken: worker.operatorToken,
      type,
      productionProcessId: id,
      productionProcessName,
      to: null,
      // Fill in the fields of the line that the list of movements lacks.
      line: { ...known, customerName: "", image: null, quantity, deliveryDate: null, late: false },
      quantity,
      notes: "",
      madeAt: new Date(serverTime()).toISOString(),
      undo: { recordId },
    });
  }

  return {
    record,
    /**
     * Undo a press. `line`: the server's answer to it, if known. Returns false if nothing is left
     * to undo. Throws ApiError.
     */
    press: async (movement: Movement, line: Line | null): Promise<boolean> => {
      const { salesOrderId, position } = movement.line;
      const { actions } = line ?? (await scanAt(id, `${salesOrderId}-${position}`, worker)).line;
      const isScrap = movement.type === "scrap";
      // The offer of a press that scrapped a part of its pieces counts as scrap too.
      const scraps = isScrap || movement.part !== undefined;
      const offer = actions.undo.find(
        ({ productionProcessId, side, scrapped }) =>
          productionProcessId === id && side === sideOf(movement) && scrapped === scraps,
      );
      if (offer !== undefined) {
        await record(movement.line, { ...offer, type: isScrap ? "scrap" : offer.side });
      }
      return offer !== undefined;
    },
  };
}
