/** Messages about lines, and the calls that lines show. See infra/docs/rules.md#talk. */
import type { LineDocument, Message, MessageIn } from "@/contract";
import { api, call } from "@/shared/http/client";
import { keysOf } from "@/shared/keysOf";

export type Call = NonNullable<LineDocument["call"]>;
export type Place = Pick<LineDocument, "salesOrderId" | "position">;
type Headers = Record<string, string>;

/** The kinds of calls. The type makes sure that none is left out. */
const KINDS: Record<Call["kind"], true> = { missing: true, question: true, stop: true };
export const CALL_KINDS = keysOf(KINDS);

/** Write about a line. Throws ApiError. */
export function writeMessage(
  headers: Headers,
  { salesOrderId, position }: Place,
  body: MessageIn,
  signal: AbortSignal | null = null,
): Promise<Message> {
  const path = { order_id: salesOrderId, position };
  return call(
    api.POST("/api/sales-order/{order_id}/position/{position}/messages", {
      params: { path },
      headers,
      body,
      signal,
    }),
  );
}

/** Come after a call. The answer names the first one who comes. Throws ApiError. */
export function comeTo(
  headers: Headers,
  { salesOrderId, position }: Place,
  messageId: number,
  body: { productionProcessId?: number; madeAt?: string } = {},
  signal: AbortSignal | null = null,
): Promise<Message> {
  const path = { order_id: salesOrderId, position, message_id: messageId };
  return call(
    api.POST("/api/sales-order/{order_id}/position/{position}/messages/{message_id}/coming", {
      params: { path },
      headers,
      body,
      signal,
    }),
  );
}
