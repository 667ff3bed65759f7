/** Hooks and calls of batches. */
import type { Batch, BatchChange, BatchIn } from "@/contract";
import { api, call } from "@/shared/http/client";
import { load, useAnswer } from "@/shared/http/data";
import { BATCH, BATCH_LINES } from "@/shared/http/keys";

const place = (id: number) => ({ path: { batch_id: id } });
type Headers = { "Idempotency-Key": string };
type Named = Pick<Batch, "id" | "version">;

export function useBatch(id: number) {
  return useAnswer(BATCH, place(id));
}

export function loadBatch(id: number): Promise<Batch> {
  return load(BATCH, place(id));
}

/** Lines that may be put on the batch, the most urgent first. */
export function useOfferedLines(id: number, search: string) {
  const query = search === "" ? {} : { search };
  return useAnswer(BATCH_LINES, { ...place(id), query }, { quiet: true, keepPreviousData: true });
}

export function createBatch(headers: Headers, body: BatchIn): Promise<Batch> {
  return call(api.POST("/api/batches", { body, headers }));
}

export function changeBatch(
  headers: Headers,
  { id, version }: Named,
  body: BatchChange,
): Promise<Batch> {
  const matching = { ...headers, "If-Match": `"${version}"` };
  return call(api.PUT(BATCH, { params: place(id), body, headers: matching }));
}

/** Put pieces of a line on the batch; without a quantity, all that may be put on it. */
export function putOn(
  headers: Headers,
  id: number,
  line: { salesOrderId: number; position: number; quantity: number | null },
): Promise<Batch> {
  return call(api.POST(BATCH_LINES, { params: place(id), body: line, headers }));
}

export function takeOff(headers: Headers, id: number, lineId: number): Promise<Batch> {
  const params = { path: { batch_id: id, line_id: lineId } };
  return call(api.DELETE("/api/batches/{batch_id}/lines/{line_id}", { params, headers }));
}

export function closeBatch(headers: Headers, { id, version }: Named): Promise<Batch> {
  const matching = { ...headers, "If-Match": `"${version}"` };
  return call(api.POST("/api/batches/{batch_id}/close", { params: place(id), headers: matching }));
}
