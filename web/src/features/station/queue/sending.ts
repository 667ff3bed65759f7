/**
 * Send a movement once, and classify the server's answer. See infra/docs/rules.md#station-offline.
 */
import type { Line, Message, StationScan } from "@/contract";
import { markOwnWrite } from "@/live/ownChanges";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { getSession } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { comeTo, writeMessage } from "@/entities/talk/talk.api";
import { weightRefusal } from "@/entities/weight/weights";
import { readOperator } from "../operator";
import { noteRecorded } from "../serverTime";
import type { Movement, Refused, Said } from "./storage";

/** The result of one attempt. */
export type Sent =
  /**
   * `line`: null if the movement arrived earlier and only its key shows that. `by`: the latest time
   * at which it was recorded.
   */
  | { kind: "done"; line: Line | null; by: string }
  | { kind: "refused"; why: Refused }
  /** The server did not answer, so it would not answer later movements either. */
  | { kind: "unreachable" }
  /** The server failed to process this movement. */
  | { kind: "failed"; error: ApiError }
  /** The movement's author must identify themselves again first. */
  | { kind: "needs-person" };

export interface Settled {
  movement: Movement;
  sent: Extract<Sent, { kind: "done" | "refused" }>;
}

/** The server knows the key with another body: the same movement with another time. */
const REUSED = "idempotency_key_reused";
/** A movement sent sooner than this, in ms, has the time of its arrival. */
export const AT_ONCE = 5_000;
/** Timeout of a request, in ms. After that the server counts as unreachable. */
const PATIENCE = 15_000;
/**
 * Timeout of a scan, in ms. After that the station continues offline, with the lists that it has.
 */
const SCAN_PATIENCE = 8_000;

/**
 * Return the headers that send a movement as its author; null if they must identify themselves
 * first. An operator who identified themselves again sends with their new token, because the old
 * one may have expired.
 */
function authorizationOf(movement: Movement): { Authorization?: string } | null {
  const session = getSession();
  if (session === null) return null;
  if (session.user.id === movement.userId) return {};
  const operator = readOperator(movement.productionProcessId);
  const token = operator?.user.id === movement.userId ? operator.token : movement.operatorToken;
  return token === null ? null : { Authorization: `Bearer ${token}` };
}

/**
 * Return when the movement was recorded, according to the line's records; if they do not say, when
 * it was pressed.
 */
function recordedAt(movement: Movement, { productionProcesses }: Line): string {
  const instants = productionProcesses
    .filter((row) => row.productionProcessId === movement.productionProcessId)
    .map((row) => (sideOf(movement) === "in" ? row.inputDate : row.outputDate));
  return instants.reduce<string>(
    (latest, each) => (each !== null && Date.parse(each) > Date.parse(latest) ? each : latest),
    movement.madeAt,
  );
}

/** Send a movement. `pressedAgo`: time since it was pressed on this machine, in ms. */
export async function sendMovement(movement: Movement, pressedAgo: number): Promise<Sent> {
  const authorization = authorizationOf(movement);
  if (authorization === null) return { kind: "needs-person" };
  const headers = { ...QUIET, ...authorization, "Idempotency-Key": movement.key };
  const late = !movement.untimed && (pressedAgo < 0 || pressedAgo >= AT_ONCE);
  const recordId = movement.undo?.recordId;
  try {
    if (movement.said !== undefined) {
      await say(movement, movement.said, headers, late);
      return { kind: "done", line: null, by: movement.madeAt };
    }
    if (recordId === null) return await takenBack(movement, headers);
    const asked =
      recordId === undefined ? request(movement, headers, late) : undo(movement, recordId, headers);
    const line = await markOwnWrite(movement.line, asked);
    const by = recordedAt(movement, line);
    if (!late) noteRecorded(by); // by the server's clock, not by this one
    return { kind: "done", line, by };
  } catch (reason) {
    const error = asApiError(reason);
    // The movement with this key arrived earlier, without a time. Send it so again: that answer
    // says when it was recorded.
    if (late && error.code === REUSED) return sendMovement({ ...movement, untimed: true }, 0);
    return judged(error, movement);
  }
}

/**
 * Send once more a movement that was taken back in doubt, so that it cannot arrive later, and undo
 * it by its key. Throws ApiError.
 */
async function takenBack(movement: Movement, headers: Record<string, string>): Promise<Sent> {
  const done = (line: Line | null): Sent => ({ kind: "done", line, by: movement.madeAt });
  const sent = await markOwnWrite(movement.line, request(movement, headers, false)).then(
    done,
    (reason: unknown) => judged(asApiError(reason), movement),
  );
  if (sent.kind !== "done" && sent.kind !== "refused") return sent;
  return markOwnWrite(movement.line, undoByKey(movement.key, headers)).then(
    done,
    (reason: unknown) => {
      const error = asApiError(reason);
      // The movement never happened, or is undone already.
      if (error.status === 404 || error.code === "already_undone") return done(null);
      return judged(error, movement);
    },
  );
}

/** The side that an undo takes back. For a hand-over it is the exit. */
export const sideOf = ({ type }: Pick<Movement, "type">) => (type === "in" ? "in" : "out");

/** Load what may be done with a line at a process, by the user in the headers. Throws ApiError. */
export function scanLine(
  processId: number,
  code: string,
  headers: Record<string, string>,
): Promise<StationScan> {
  return call(
    api.POST("/api/station/{process_id}/scan", {
      params: { path: { process_id: processId } },
      body: { code },
      headers: { ...QUIET, ...headers },
      signal: AbortSignal.timeout(SCAN_PATIENCE),
    }),
  );
}

/** Undo the press of one line that was sent with this key. */
async function undoByKey(key: string, headers: Record<string, string>): Promise<Line> {
  const { lines } = await call(
    api.POST("/api/presses/undo", {
      body: { key },
      headers: { ...headers, "Idempotency-Key": `${key}-undo` },
      signal: AbortSignal.timeout(PATIENCE),
    }),
  );
  return lines![0]!;
}

function undo(
  movement: Movement,
  recordId: number,
  headers: Record<string, string>,
): Promise<Line> {
  const { salesOrderId, position } = movement.line;
  const path = { order_id: salesOrderId, position, record_id: recordId };
  return call(
    api.POST("/api/sales-order/{order_id}/position/{position}/records/{record_id}/undo", {
      params: { path, query: { side: sideOf(movement) } },
      headers: { ...headers, "Idempotency-Key": `${movement.key}-undo` },
      signal: AbortSignal.timeout(PATIENCE),
    }),
  );
}

function request(
  { type, to, scrap, part, line, productionProcessId, quantity, notes, weights, madeAt }: Movement,
  headers: Record<string, string>,
  late: boolean,
): Promise<Line> {
  const { salesOrderId, position } = line;
  const time = late ? { madeAt } : {};
  const scrapped = part === undefined ? {} : { scrap: part };
  const signal = AbortSignal.timeout(PATIENCE);
  if (to !== null) {
    const toProcessId = to.productionProcessId;
    return call(
      api.POST("/api/station/{process_id}/hand-over", {
        params: { path: { process_id: productionProcessId } },
        body: {
          salesOrderId,
          position,
          toProcessId,
          quantity,
          notes,
          ...weights,
          ...scrapped,
          ...time,
        },
        headers,
        signal,
      }),
    );
  }
  const path = { order_id: salesOrderId, position };
  const what = { productionProcessId, quantity, notes, ...weights, ...time };
  if (scrap !== undefined) {
    const { reason, photo } = scrap;
    return call(
      api.POST("/api/sales-order/{order_id}/position/{position}/scrap", {
        params: { path },
        body: { ...what, reason, ...(photo !== null && { photo }) },
        headers,
        signal,
      }),
    );
  }
  const init = { params: { path }, body: what, headers, signal };
  return call(
    type === "in"
      ? api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/in", init)
      : api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/out", {
          ...init,
          body: { ...what, ...scrapped },
        }),
  );
}

/** Call somebody to a line, or come after a call. */
function say(
  { line, productionProcessId, madeAt }: Movement,
  { kind, comesTo }: Said,
  headers: Record<string, string>,
  late: boolean,
): Promise<Message> {
  const where = { productionProcessId, ...(late && { madeAt }) };
  const signal = AbortSignal.timeout(PATIENCE);
  return comesTo === null
    ? writeMessage(headers, line, { kind, ...where }, signal)
    : comeTo(headers, line, comesTo, where, signal);
}

function judged(error: ApiError, { madeAt }: Movement): Sent {
  if (error.isOffline) return { kind: "unreachable" };
  if (error.status === 401) return { kind: "needs-person" };
  if (error.code === REUSED) return { kind: "done", line: null, by: madeAt };
  if (error.status >= 500 || error.status === 429 || error.code === "unexpected_answer") {
    return { kind: "failed", error };
  }
  const { code, message } = error;
  const why = weightRefusal(error) ?? { code, message: message || errorText(error) };
  return { kind: "refused", why };
}
