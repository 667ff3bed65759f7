/** One press at a station: kept first, answered at once, sent by the queue. */
import { useState } from "react";
import type { Station } from "@/contract";
import { newKey } from "@/shared/http/client";
import { operatorWorked } from "./operator";
import type { Movement } from "./queue/storage";
import { movements } from "./queue/useMovements";
import { serverTime } from "./serverTime";
import type { Pressed, Show, Worker } from "./types";

export function usePress({ process }: Station, worker: Worker, show: Show) {
  const [last, setLast] = useState<Movement | null>(null);
  /** The key of the last one, where nothing else waited: its answer comes while the person stands there. */
  const [alone, setAlone] = useState<string | null>(null);

  async function press(pressed: Pressed): Promise<void> {
    const key = newKey();
    setAlone(movements.state.movements.some(({ refused }) => refused === null) ? null : key);
    const kept = movements.press({
      ...pressed,
      key,
      userId: worker.id,
      userName: worker.fullName,
      operatorToken: worker.operatorToken,
      productionProcessId: process.productionProcessId,
      productionProcessName: process.productionProcessName,
      madeAt: new Date(serverTime()).toISOString(),
      undo: null,
    });
    show("yes");
    operatorWorked(worker);
    setLast(await kept);
  }

  return { press, last, alone, forget: () => setLast(null) };
}
