/** One try to tell the server of a movement, and what it said. Contract, sections 4 and 8. */
import type { Line } from "@/contract";
import { markOwnWrite } from "@/live/ownChanges";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { getSession } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { readOperator } from "../operator";
import { serverTime } from "../serverTime";
import type { Sent } from "./MovementQueue";
import type { Movement } from "./storage";

/** What is told sooner than this happens when the server hears of it. */
export const AT_ONCE = 5_000;
/** A network that answers nothing is none. */
const PATIENCE = 15_000;

/** In whose name it is sent, as headers; null where that person must be named first. */
function authorizationOf(movement: Movement): { Authorization?: string } | null {
  const session = getSession();
  if (session === null) return null;
  if (session.user.id === movement.userId) return {};
  const operator = readOperator();
  const token = operator?.user.id === movement.userId ? operator.token : movement.operatorToken;
  return token === null ? null : { Authorization: `Bearer ${token}` };
}

const timeNow = () => new Date(serverTime()).toISOString();

/** No record of the line is newer: by the records themselves where this machine's clock is behind. */
function recordedBy({ productionProcesses }: Line): string {
  const instants = productionProcesses.flatMap(({ inputDate, outputDate }) => [
    inputDate,
    outputDate ?? inputDate,
  ]);
  return instants.reduce((one, other) => (other > one ? other : one), timeNow());
}

/** `pressedAgo`: how long ago it was pressed on this machine, in milliseconds. */
export async function sendMovement(movement: Movement, pressedAgo: number): Promise<Sent> {
  const authorization = authorizationOf(movement);
  if (authorization === null) return { kind: "needs-person" };
  const headers = { ...QUIET, ...authorization, "Idempotency-Key": movement.key };
  const late = !movement.untimed && (pressedAgo < 0 || pressedAgo >= AT_ONCE);
  try {
    const line = await markOwnWrite(movement.line, request(movement, headers, late));
    return { kind: "done", line, by: late ? movement.madeAt : recordedBy(line) };
  } catch (reason) {
    return judged(asApiError(reason));
  }
}

function request(
  { type, to, line, productionProcessId, quantity, notes, madeAt }: Movement,
  headers: Record<string, string>,
  late: boolean,
): Promise<Line> {
  const { salesOrderId, position } = line;
  const time = late ? { madeAt } : {};
  const signal = AbortSignal.timeout(PATIENCE);
  if (to !== null) {
    const toProcessId = to.productionProcessId;
    return call(
      api.POST("/api/station/{process_id}/hand-over", {
        params: { path: { process_id: productionProcessId } },
        body: { salesOrderId, position, toProcessId, quantity, notes, ...time },
        headers,
        signal,
      }),
    );
  }
  const path = { order_id: salesOrderId, position };
  const body = { productionProcessId, quantity, notes, ...time };
  const init = { params: { path }, body, headers, signal };
  return call(
    type === "in"
      ? api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/in", init)
      : api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/out", init),
  );
}

function judged(error: ApiError): Sent {
  if (error.isOffline) return { kind: "unreachable" };
  if (error.status === 401) return { kind: "needs-person" };
  // Sent first as of now and then with its time: the first one had arrived.
  if (error.code === "idempotency_key_reused") return { kind: "done", line: null, by: timeNow() };
  if (error.status >= 500 || error.status === 429 || error.code === "unexpected_answer") {
    return { kind: "failed", error };
  }
  return { kind: "refused", why: { code: error.code, message: error.message || errorText(error) } };
}
