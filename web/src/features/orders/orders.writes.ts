/** Calls that write orders and lines. Each sends the idempotency key of `useSubmit`. */
import type {
  Line,
  LineIn,
  LineRow,
  LineStatus,
  OrderLineChange,
  SalesOrder,
  SalesOrderIn,
} from "@/contract";
import { api, call } from "@/shared/http/client";
import { markOwnWrite } from "@/live/ownChanges";
import type { ScrappedPart } from "@/entities/scrapping/part";
import { notingRefusal, optimistically } from "@/shared/http/optimistic";
import { foresee } from "@/shared/http/store";
import { ApiError } from "@/shared/http/ApiError";
import { loadOrder } from "./orders.api";
import {
  FIELDS,
  madeOf,
  notingFields,
  notingOrder,
  notingStatus,
  type Change,
  type OrderChange,
} from "./takingBack";
import type { Weights } from "@/entities/weight/weights";

type Headers = { "Idempotency-Key": string };
type Named = Pick<SalesOrder, "id" | "version">;
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

type OrderBody = Partial<OrderHeader> & { items?: OrderLineChange[] };

const writeOrder = (headers: Headers, order: Named, body: OrderBody): Promise<SalesOrder> =>
  call(
    api.PUT("/api/sales-order/{order_id}", {
      params: { path: { order_id: order.id } },
      body,
      headers: matching(headers, order),
    }),
  );

/** Change an order, which shows it at once. Throws ApiError: 412 `stale_version` if it changed since `order` was loaded. */
export const updateOrder = (
  headers: Headers,
  order: SalesOrder,
  body: OrderBody,
): Promise<SalesOrder> =>
  showingOrder(order, body, (now) => notingOrder(now, body, writeOrder(headers, now, body)));

/** Show an order and its lines with what `send` writes. */
function showingOrder(
  order: SalesOrder,
  { items, ...header }: OrderBody,
  send: (now: SalesOrder) => Promise<SalesOrder>,
): Promise<SalesOrder> {
  const written = new Map(items?.map((item) => [item.position, item]));
  const lines = order.items.filter(({ position }) => written.has(position));
  const shown = lines.map((line) => foresee(line, shownFields(written.get(line.position) ?? {})));
  return optimistically(order, header, send).finally(() => {
    for (const each of shown) each.end();
  });
}

/**
 * Approve all lines that can be approved, which show it at once. Throws ApiError: 412 `stale_version` if the order
 * changed since the user saw it.
 */
export async function approveOrder(headers: Headers, order: SalesOrder): Promise<SalesOrder> {
  const shown = order.items
    .filter(({ actions }) => actions.statuses.includes("Approved"))
    .map((line) => foresee(line, shownStatus(line, "Approved", line.actions)));
  try {
    return await notingRefusal(order, () =>
      call(
        api.POST("/api/sales-order/{order_id}/approve", {
          params: { path: { order_id: order.id } },
          headers: matching(headers, order),
        }),
      ),
    );
  } finally {
    for (const each of shown) each.end();
  }
}

export function deleteOrder(headers: Headers, orderId: number): Promise<SalesOrder> {
  return call(
    api.DELETE("/api/sales-order/{order_id}", {
      params: { path: { order_id: orderId } },
      headers,
    }),
  );
}

const writeLine = (headers: Headers, line: LineRef, body: Partial<LineIn>): Promise<Line> =>
  markOwnWrite(
    line,
    call(
      api.PUT("/api/sales-order/{order_id}/position/{position}/full", {
        params: { path: place(line) },
        body,
        headers: matching(headers, line),
      }),
    ),
  );

const writeStatus = (headers: Headers, line: LineRef, status: LineStatus): Promise<Line> =>
  markOwnWrite(
    line,
    call(
      api.PUT("/api/sales-order/{order_id}/position/{position}/update-status/{status}", {
        params: { path: { ...place(line), status } },
        headers: matching(headers, line),
      }),
    ),
  );

/** What a line shows while its fields are being written. */
function shownFields(body: Partial<LineIn>): Partial<Line> {
  const shown = Object.fromEntries(
    FIELDS.filter((name) => name in body).map((name) => [name, body[name]]),
  );
  return "notes" in shown ? { ...shown, salesOrderPositionNotes: body.notes ?? "" } : shown;
}

/** What a line shows while its status is being written: the status, and that it is offered no longer. */
function shownStatus({ offers }: Line | LineRow, status: LineStatus, actions?: Line["actions"]) {
  const others = <T extends string>(all: readonly T[]) => all.filter((one) => one !== status);
  return {
    status,
    offers: { ...offers, statuses: others(offers.statuses) },
    ...(actions && { actions: { ...actions, statuses: others(actions.statuses) } }),
  };
}

const actionsOf = (line: Line | LineRow) => ("actions" in line ? line.actions : undefined);

/**
 * Change a line, which shows it at once. Throws ApiError: 412 `stale_version` if it changed since the user saw it.
 */
export const updateLine = (headers: Headers, line: Line, body: Partial<LineIn>): Promise<Line> =>
  optimistically(line, shownFields(body), (now) =>
    notingFields(now, body, writeLine(headers, now, body)),
  );

/**
 * Change the status of a line, which shows it at once, or why it was refused. Throws ApiError: 412 if it changed since
 * the user confirmed.
 */
export const changeStatus = (
  headers: Headers,
  line: Line | LineRow,
  status: LineStatus,
): Promise<Line> =>
  notingRefusal(line, () =>
    optimistically<Line | LineRow, Line>(line, shownStatus(line, status, actionsOf(line)), (now) =>
      notingStatus(now, writeStatus(headers, now, status)),
    ),
  );

/** Take a change back, which shows at once. Throws ApiError: 412 `stale_version` if the record changed since then. */
export function changeBack(headers: Headers, change: Change): Promise<Line | SalesOrder> {
  if ("order" in change) return orderBack(headers, change);
  const line = { ...change.line, version: madeOf(change, change.line)! };
  const { former } = change;
  return "fields" in former
    ? optimistically(line, shownFields(former.fields), () =>
        writeLine(headers, line, former.fields),
      )
    : optimistically(line, shownStatus(line, former.status, line.actions), () =>
        writeStatus(headers, line, former.status),
      );
}

/** Take a change of an order and its lines back, all or none: if one of them changed since then, all stay. */
function orderBack(headers: Headers, change: OrderChange): Promise<SalesOrder> {
  const { items, ...header } = change.former;
  return showingOrder(change.order, change.former, async () => {
    const now = await loadOrder(change.order.id);
    const touched = now.items.filter((line) => madeOf(change, line) !== undefined);
    const others = [...touched, ...(Object.keys(header).length > 0 ? [now] : [])].filter(
      (each) => madeOf(change, each) !== each.version,
    );
    if (others.length > 0 || touched.length < (items?.length ?? 0)) throw staleVersion();
    return writeOrder(headers, now, change.former);
  });
}

/** What the server answers if a record has another version. */
const staleVersion = () =>
  new ApiError(412, { code: "stale_version", message: "", params: {}, errors: [] });

export interface Movement extends Weights {
  type: "in" | "out";
  productionProcessId: number;
  quantity: number;
  notes: string;
  /** Only of an exit: the pieces among `quantity` that leave as scrap. */
  scrap?: ScrappedPart;
}

/**
 * Move pieces. Sends no version, because others may move other pieces in the meantime; the server
 * checks the pieces.
 */
export function move(headers: Headers, line: LineRef, movement: Movement): Promise<Line> {
  const { type, scrap: part, ...body } = movement;
  const init = { params: { path: place(line) }, body, headers };
  return markOwnWrite(
    line,
    call(
      type === "in"
        ? api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/in", init)
        : api.PUT("/api/sales-order/{order_id}/position/{position}/production-process/out", {
            ...init,
            body: { ...body, ...(part !== undefined && { scrap: part }) },
          }),
    ),
  );
}

export interface Scrapped {
  productionProcessId: number;
  quantity: number;
  reason: string;
  notes: string;
  grams?: number;
  otherGrams?: number;
  /** A JPEG in base 64. */
  photo?: string;
}

/** Scrap pieces that are inside a process. Sends no version, as `move`. */
export function scrap(headers: Headers, line: LineRef, body: Scrapped): Promise<Line> {
  const init = { params: { path: place(line) }, body, headers };
  return markOwnWrite(
    line,
    call(api.POST("/api/sales-order/{order_id}/position/{position}/scrap", init)),
  );
}

/** The weights of a record, in grams. Only the given weights are changed. */
export interface RecordWeights {
  gramsIn?: number;
  gramsOut?: number;
  otherGrams?: number;
  scrapGrams?: number;
  weightReason?: string;
}

/** Weigh a record afterwards. Throws ApiError: 412 if the line changed since the user saw it. */
export function weighRecord(
  headers: Headers,
  line: LineRef,
  recordId: number,
  body: RecordWeights,
): Promise<Line> {
  return markOwnWrite(
    line,
    call(
      api.PUT(
        "/api/sales-order/{order_id}/position/{position}/production-process/{record_id}/weights",
        {
          params: { path: { ...place(line), record_id: recordId } },
          body,
          headers: matching(headers, line),
        },
      ),
    ),
  );
}

/** Sign for what a record lost. Throws ApiError: 412 if the line changed since the user saw it. */
export function signLoss(headers: Headers, line: LineRef, recordId: number): Promise<Line> {
  return markOwnWrite(
    line,
    call(
      api.POST(
        "/api/sales-order/{order_id}/position/{position}/production-process/{record_id}/loss-signature",
        {
          params: { path: { ...place(line), record_id: recordId } },
          headers: matching(headers, line),
        },
      ),
    ),
  );
}

/** Have scrapped pieces made again. Throws ApiError: 412 if the line changed since the user saw it. */
export function replace(headers: Headers, line: LineRef, quantity: number): Promise<Line> {
  return markOwnWrite(
    line,
    call(
      api.POST("/api/sales-order/{order_id}/position/{position}/replace", {
        params: { path: place(line) },
        body: { quantity },
        headers: matching(headers, line),
      }),
    ),
  );
}

/**
 * Undo the user's own movement, the last of a record. Throws ApiError: 412 if the line changed
 * since the user saw it.
 */
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

/**
 * Release the last record of a process, its exit and its entry at once. Throws ApiError: 412 if the
 * line changed since the user saw it.
 */
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
