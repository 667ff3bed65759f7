/** The last press of a batch in this tab, which its author may undo for some minutes. */
import type { Batch } from "@/contract";
import type { Side } from "@/entities/batches/batches.api";
import { external } from "@/shared/external";
import { api, call } from "@/shared/http/client";

export interface BatchPress {
  /** The idempotency key that the press was sent with. */
  key: string;
  side: Side;
  batch: Batch;
  userId: number;
}

export const lastBatchPress = external<BatchPress | null>(null);

export const noteBatchPress = (press: BatchPress): void => lastBatchPress.set(press);

/** Undo a press whole: all lines of the batch, or none. Throws ApiError. */
export const undoPress = (headers: { "Idempotency-Key": string }, key: string) =>
  call(api.POST("/api/presses/undo", { body: { key }, headers }));
