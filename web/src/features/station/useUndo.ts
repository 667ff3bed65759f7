/** Takes one's own movements back: the last press, or one of the last movements at the station. */
import type { Line, Station } from "@/contract";
import { patchStation } from "@/live/station";
import { load, useAnswers } from "@/shared/http/data";
import { LINE, STATION } from "@/shared/http/keys";
import type { Worker } from "./operator";
import type { Movement, StationLine } from "./queue/storage";
import { undoMovement } from "./station.api";

type Place = Pick<StationLine, "salesOrderId" | "position">;

export function useUndo(station: Station, worker: Worker) {
  const { put, reload } = useAnswers();
  const { productionProcessId: id } = station.process;

  /** Throws ApiError. */
  async function record(
    place: Place,
    movement: { recordId: number; side: "in" | "out" },
  ): Promise<true> {
    const line = await undoMovement(place, movement, worker);
    await put(STATION, { path: { process_id: id } }, (kept) => kept && patchStation(kept, line));
    void reload(([path]) => path === STATION);
    return true;
  }

  return {
    record,
    /** `line` is what the server answered to the press, where that is known. False where nothing is left to undo. */
    press: async ({ line: place, type }: Movement, line: Line | null): Promise<boolean> => {
      const path = { order_id: place.salesOrderId, position: place.position };
      const { actions } = line ?? (await load(LINE, { path }));
      const side = type === "in" ? "in" : "out";
      const offer = actions.undo.find(
        (each) => each.productionProcessId === id && each.side === side,
      );
      return offer === undefined ? false : record(place, offer);
    },
  };
}
