/** What a station asks of the server besides its own answer. Contract, section 8. */
import i18next from "i18next";
import type { Line, StationScan } from "@/contract";
import { markOwnWrite } from "@/live/ownChanges";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call, newKey, QUIET } from "@/shared/http/client";
import { errorText } from "@/shared/ui/errors";
import { forgetOperator, nameOperator, operatorWorked, type Worker } from "./operator";
import { movements } from "./queue/useMovements";

/** A scan that is not answered by then counts as offline: the station goes on with the lists that it knows. */
const PATIENCE = 8_000;

/** In whose name a call is made: the session's own, or that of who was named at it. */
const nameOf = ({ operatorToken }: Pick<Worker, "operatorToken">): Record<string, string> =>
  operatorToken === null ? {} : { Authorization: `Bearer ${operatorToken}` };

/** Whether the worker may bring pieces in or take them out. Throws ApiError: 422 `unknown_code`, 401 `operator_over`. */
export async function scanAt(
  processId: number,
  code: string,
  worker: Pick<Worker, "operatorToken">,
): Promise<StationScan> {
  try {
    const found = await call(
      api.POST("/api/station/{process_id}/scan", {
        params: { path: { process_id: processId } },
        body: { code },
        headers: { ...QUIET, ...nameOf(worker) },
        signal: AbortSignal.timeout(PATIENCE),
      }),
    );
    if (worker.operatorToken !== null) operatorWorked(); // For the server it was a use.
    return found;
  } catch (reason) {
    if (asApiError(reason).code === "operator_over") forgetOperator();
    throw reason;
  }
}

/** Takes the worker's own last movement of a record back. Throws ApiError. */
export function undoMovement(
  line: Pick<Line, "salesOrderId" | "position">,
  { recordId, side }: { recordId: number; side: "in" | "out" },
  worker: Pick<Worker, "operatorToken">,
): Promise<Line> {
  const { salesOrderId, position } = line;
  return markOwnWrite(
    line,
    call(
      api.POST("/api/sales-order/{order_id}/position/{position}/records/{record_id}/undo", {
        params: {
          path: { order_id: salesOrderId, position, record_id: recordId },
          query: { side },
        },
        headers: { ...QUIET, ...nameOf(worker), "Idempotency-Key": newKey() },
      }),
    ),
  );
}

/**
 * Who stands there, by PIN or by badge. Throws ApiError: 422 `unknown_operator`, 403 for who may move nothing at this
 * process, 429 after five wrong ones in a minute.
 */
export async function nameWorker(
  by: { pin: string } | { badge: string },
  productionProcessId: number,
): Promise<void> {
  const body = { ...by, productionProcessId };
  nameOperator(await call(api.POST("/api/station/operator", { body, headers: QUIET })));
  void movements.drain(); // Some may have waited for this person.
}

/** Why nobody was named. That somebody works elsewhere is no lack of rights of whoever is signed in. */
export function whyNotNamed(error: ApiError, process: string): string {
  if (error.isOffline) return i18next.t("station:operator.offline");
  if (error.code === "not_your_process")
    return i18next.t("station:operator.elsewhere", { process });
  if (error.code === "permission_denied") return i18next.t("station:operator.noRights");
  return errorText(error);
}
