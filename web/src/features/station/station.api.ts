/** What a station asks of the server besides its own answer. Contract, section 8. */
import type { Line, StationScan } from "@/contract";
import { markOwnWrite } from "@/live/ownChanges";
import { api, call, newKey, QUIET } from "@/shared/http/client";
import { nameOperator, type Worker } from "./operator";
import { movements } from "./queue/useMovements";

/** A scan that is not answered by then counts as offline: the station goes on with the lists that it knows. */
const PATIENCE = 8_000;

/** Whether pieces enter or leave. Throws ApiError: 422 `unknown_code`. */
export function scanAt(processId: number, code: string): Promise<StationScan> {
  return call(
    api.POST("/api/station/{process_id}/scan", {
      params: { path: { process_id: processId } },
      body: { code },
      headers: QUIET,
      signal: AbortSignal.timeout(PATIENCE),
    }),
  );
}

/** Takes the worker's own last movement of a record back. Throws ApiError. */
export function undoMovement(
  line: Pick<Line, "salesOrderId" | "position">,
  { recordId, side }: { recordId: number; side: "in" | "out" },
  { operatorToken }: Pick<Worker, "operatorToken">,
): Promise<Line> {
  const { salesOrderId, position } = line;
  const authorization = operatorToken === null ? {} : { Authorization: `Bearer ${operatorToken}` };
  return markOwnWrite(
    line,
    call(
      api.POST("/api/sales-order/{order_id}/position/{position}/records/{record_id}/undo", {
        params: {
          path: { order_id: salesOrderId, position, record_id: recordId },
          query: { side },
        },
        headers: { ...QUIET, ...authorization, "Idempotency-Key": newKey() },
      }),
    ),
  );
}

/** Who stands there, by PIN or by badge. Throws ApiError: 422 `unknown_operator`, 429 after five wrong ones in a minute. */
export async function nameWorker(
  by: { pin: string } | { badge: string },
  productionProcessId: number,
): Promise<void> {
  const body = { ...by, productionProcessId };
  nameOperator(await call(api.POST("/api/station/operator", { body, headers: QUIET })));
  void movements.drain(); // Some may have waited for this person.
}
