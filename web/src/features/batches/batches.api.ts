/** Hooks and calls of batches. */
import type { Batch, BatchChange, BatchIn, BatchLine, OfferedLine } from "@/contract";
import { api, call } from "@/shared/http/client";
import { load, useAnswer } from "@/shared/http/data";
import { BATCH, BATCH_LINES } from "@/shared/http/keys";
import { notingRefusal, optimistically } from "@/shared/http/optimistic";

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

/** Pieces to put on a batch. `offered`: the line, if the list offered it; the batch then shows it at once. */
export interface Chosen {
  salesOrderId: number;
  position: number;
  /** Null for all that may be put on it. */
  quantity: number | null;
  offered?: OfferedLine;
}

/** Put pieces of a line on the batch. */
export function putOn(headers: Headers, batch: Batch, line: Chosen): Promise<Batch> {
  const { offered, ...body } = line;
  const send = () => call(api.POST(BATCH_LINES, { params: place(batch.id), body, headers }));
  return optimistically(batch, offered === undefined ? {} : withLine(batch, offered, line), send);
}

/** The id of a line on a batch that has not been answered yet: it cannot be taken off. */
export const isUnanswered = ({ id }: BatchLine) => id < 0;

function withLine(batch: Batch, offered: OfferedLine, { quantity }: Chosen): Partial<Batch> {
  const pieces = quantity ?? offered.quantity;
  const on = { ...offered, id: -offered.lineId, quantity: pieces, netGrams: null, lineStatus: "" };
  const others = batch.lines.filter(({ lineId }) => lineId !== offered.lineId);
  return withLines([...others, on]);
}

const withLines = (lines: BatchLine[]): Partial<Batch> => ({
  lines,
  linesCount: lines.length,
  quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
});

/** Take a line off the batch, which shows it at once, or why it was refused. */
export function takeOff(headers: Headers, batch: Batch, line: BatchLine): Promise<Batch> {
  const params = { path: { batch_id: batch.id, line_id: line.id } };
  const lines = batch.lines.filter(({ id }) => id !== line.id);
  return notingRefusal(rowOf(line), () =>
    optimistically(batch, withLines(lines), () =>
      call(api.DELETE("/api/batches/{batch_id}/lines/{line_id}", { params, headers })),
    ),
  );
}

/** A line on a batch, as the row that a refusal is shown in. */
export const rowOf = ({ id }: BatchLine) => ({ kind: "batch-line", id });

export function closeBatch(headers: Headers, { id, version }: Named): Promise<Batch> {
  const matching = { ...headers, "If-Match": `"${version}"` };
  return call(api.POST("/api/batches/{batch_id}/close", { params: place(id), headers: matching }));
}
