/** Requests of a station, besides loading it. See infra/docs/rules.md#station. */
import i18next from "i18next";
import type { StationScan } from "@/contract";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { loadUser } from "@/shared/http/permissions";
import { storeUser } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { forgetOperator, nameOperator, operatorWorked } from "./operator";
import { scanLine } from "./queue/sending";
import { movements } from "./queue/useMovements";
import type { Worker } from "./types";

/**
 * The headers that make a call as the worker. Without an operator, there are none, and the
 * session's own are used.
 */
export const nameOf = ({ operatorToken }: Pick<Worker, "operatorToken">): Record<string, string> =>
  operatorToken === null ? {} : { Authorization: `Bearer ${operatorToken}` };

/**
 * Load what the worker may do with the line of a code at a process. Throws ApiError: 422
 * `unknown_code`, 401 `operator_over`.
 */
export async function scanAt(
  processId: number,
  code: string,
  worker: Pick<Worker, "operatorToken">,
): Promise<StationScan> {
  try {
    const found = await scanLine(processId, code, nameOf(worker));
    operatorWorked(worker); // the server counts it as a use
    return found;
  } catch (reason) {
    if (asApiError(reason).code === "operator_over") forgetOperator();
    throw reason;
  }
}

/**
 * Identify an operator by PIN or badge. Throws ApiError: 422 `unknown_operator`, 403 if they may
 * move nothing at this process, 429 after five wrong tries in a minute.
 */
export async function nameWorker(
  by: { pin: string } | { badge: string },
  productionProcessId: number,
): Promise<void> {
  const body = { ...by, productionProcessId };
  const named = await call(api.POST("/api/station/operator", { body, headers: QUIET }));
  nameOperator(named, productionProcessId);
  void movements.drain(); // some may have waited for this operator
}

/**
 * Assign the signed-in user to a process, beside those who work there. Throws ApiError: 412 if
 * somebody else changed the process in the meantime.
 */
export async function assignOneself(processId: number, userId: number): Promise<void> {
  const params = { path: { entry_id: processId } };
  const known = await call(api.GET("/api/production-processes/{entry_id}", { params }));
  const headers = { "If-Match": `"${known.version}"` };
  const body = { userIds: [...known.userIds, userId] };
  await call(api.PUT("/api/production-processes/{entry_id}", { params, body, headers }));
  storeUser(await loadUser(userId));
}

/**
 * Say why nobody was identified. A denied permission is the operator's, not the signed-in user's.
 */
export function whyNotNamed(error: ApiError, process: string): string {
  if (error.isOffline) return i18next.t("station:operator.offline");
  if (error.code === "not_your_process")
    return i18next.t("station:operator.elsewhere", { process });
  if (error.code === "permission_denied") return i18next.t("station:operator.noRights");
  return errorText(error);
}
