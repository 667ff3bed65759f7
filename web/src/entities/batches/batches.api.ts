/** Calls that move a batch, and the lines that a refusal names. See infra/docs/rules.md#batches. */
import type { Batch, BatchMove } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";

export type Side = "in" | "out";

export const batchPath = (id: number) => `/operations/batches/${id}`;

/**
 * Move all lines of a batch, or none. `headers`: the idempotency key, and at a station the token of the worker. Throws
 * ApiError: 409 `batch_refused` names the lines that cannot be moved.
 */
export function moveBatch(
  headers: Record<string, string>,
  { id, version }: Pick<Batch, "id" | "version">,
  side: Side,
  body: BatchMove,
): Promise<Batch> {
  const asked = {
    params: { path: { batch_id: id } },
    body,
    headers: { ...headers, "If-Match": `"${version}"` },
  };
  return side === "in"
    ? call(api.POST("/api/batches/{batch_id}/in", asked))
    : call(api.POST("/api/batches/{batch_id}/out", asked));
}

/** A line of a batch that cannot be moved, and why. `lineId`: its id on the batch. */
export interface RefusedLine {
  lineId: number;
  code: string;
  message: string;
}

/** The lines that a refusal names; empty for any other refusal. */
export function refusedLines({ code, params }: ApiError): RefusedLine[] {
  return code === "batch_refused" ? (params["lines"] as RefusedLine[]) : [];
}
