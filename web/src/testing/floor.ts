/** The board and a station for tests. */
import type { ShopFloor, Station } from "@/contract";

export function aBoard(): ShopFloor {
  const lane = (productionProcessId: number, productionProcessName: string) => ({
    productionProcessId,
    productionProcessName,
    order: productionProcessId,
    usualSeconds: 7_200,
    piecesADay: 40,
  });
  return {
    today: "2026-03-14",
    eventId: 99,
    lanes: [lane(2, "Vaciado"), lane(3, "Lijado")],
    lines: [],
  };
}

/** The station of process 2, Vaciado. */
export function aStation(station: Partial<Station> = {}): Station {
  return {
    now: "2026-03-14T15:00:00Z",
    undoSeconds: 300,
    process: { productionProcessId: 2, productionProcessName: "Vaciado", active: true },
    queue: [],
    later: [],
    inside: [],
    names: [],
    recent: [],
    ...station,
  };
}
