/** What a person can do to orders and lines. Every write carries the idempotency key that `useSubmit` gives. */
import type {
  Line,
  LineIn,
  LineStatus,
  OrderLineChange,
  SalesOrder,
  SalesOrderIn,
} from "@/contract";
import { api, call } from "@/shared/http/client";
import { markOwnWrite } from "@/live/ownChanges";

type Headers = { "Idempotency-Key": string };
export type LineRef = Pick<Line, "salesOrderId" | "position" | "version">;
export type OrderHeader = Pick<
  SalesOrder,
  "customerId" | "customerSalesOrderId" | "salesOrderDate" | "notes"
>;

const matching = (headers: Headers, { version }: { version: number }) => ({
  ...headers,
  "If-Match": `"${version}"`,
});
const place = ({ salesOrderId, position }: LineRef) => ({ order_id: salesOrderId, position });

export function createOrder(headers: Headers, body: SalesOrderIn): Promise<SalesOrder> {
  return call(api.POST("/api/sales-order", { body, headers }));
}

/** 412 `stale_version` where somebody changed the order since `order` was loaded. */
export function updateOrder(
  headers: Headers,
  order: Pick<SalesOrder, "id" | "version">,
  body: Partial<OrderHeader> & { items?: OrderLineChange[] },
): Promise<SalesOrder> {
  return call(
    api.PUT("/api/sales-order/{order_id}", {
      params: { path: { order_id: order.id } },
      body,
      headers: matching(headers, order),
    }),
  );
}

/** Approves every line that may be; 412 `stale_version` where the order is no longer as the person saw it. */
export function approveOrder(
  headers: Headers,
  order: Pick<SalesOrder, "id" | "version">,
): Promise<SalesOrder> {
  return call(
    api.POST("/api/sales-order/{order_id}/approve", {
      params: { path: { order_id: order.id } },
      headers: matching(headers, order),
    }),
  );
}

export function deleteOrder(headers: Headers, orderId: number): Promise<SalesOrder> {
  return call(
    api.DELETE("/api/sales-order/{order_id}", {
      params: { path: { order_id: orderId } },
      headers,
    }),
  );
}

/** 412 `stale_version` where the line is no longer as the person saw it. */
export function updateLine(headers: Headers, line: LineRef, body: Partial<LineIn>): Promise<Line> {
  return markOwnWrite(
    line,
    call(
      api.PUT("/api/sales-order/{order_id}/position/{position}/full", {
        params: { path: place(line) },
        body,
        headers: matching(headers, line),
      }),
    ),
  );
}

/** Only from the state the person confirmed it for: 412 where the line has changed since. */
export function changeStatus(headers: Headers, line: LineRef, status: LineStatus): Promise<Line> {
  return markOwnWrite(
    line,
    call(
      api.PUT("/api/sales-order/{order_id}/position/{position}/update-status/{status}", {
        params: { path: { ...place(line), status } },
        headers: matching(headers, line),
      }),
    ),
  );
}

export interface Movement {
  type: "in" | "out";
  productionProcessId: number;
  quantity: number;
  notes: string;
}

/** Others may move other pieces of the line meanwhile, so no version is asked for: the pieces decide. */
export function move(headers: Headers, line: LineRef, movement: Movement): Promise<Line> {
  const { type, ...body } = movement;
  const init = { params: { path: place(line) }, body, headers };
  return markOwnWrite(
    line,
    call(
      type === "in"
        ? api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/in", init)
        : api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/out", init),
    ),
  );
}

/** Takes one's own movement back, the last of a record; only from the state the person saw. */
export function undo(
  headers: Headers,
  line: LineRef,
  { recordId, side }: Pick<Line["actions"]["undo"][number], "recordId" | "side">,
): Promise<Line> {
  return markOwnWrite(
    line,
    call(
      api.POST("/api/sales-order/{order_id}/position/{position}/records/{record_id}/undo", {
        params: { path: { ...place(line), record_id: recordId }, query: { side } },
        headers: matching(headers, line),
      }),
    ),
  );
}

/** Takes the last record of a process back, its exit and its entry at once. */
export function release(
  headers: Headers,
  line: LineRef,
  processId: number,
  why: { reason?: string; notes?: string },
): Promise<Line> {
  return markOwnWrite(
    line,
    call(
      api.DELETE(
        "/api/sales-order/{order_id}/position/{position}/production-process/{process_id}",
        {
          params: { path: { ...place(line), process_id: processId }, query: why },
          headers: matching(headers, line),
        },
      ),
    ),
  );
}
