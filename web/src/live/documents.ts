/** Applies a line's document to data that is already on screen. What is not newer than the data changes nothing. */
import type {
  Line,
  LineDocument,
  LineEvent,
  LineRow,
  LineStatus,
  OrderEvent,
  OrderStatus,
  OrderSummary,
  ProcessRecord,
  SalesOrder,
  ShopFloor,
  ShopFloorCard,
} from "@/contract";
import type { List } from "@/shared/http/data";
import { endsDeleting, figuresOf, progressOf, tellsProgress, waitingOf } from "./derived";
import { actionsOf, orderActions } from "./mask";

type Place = { salesOrderId: number; position: number };

/** Whether two of them are the same line. */
export function isSameLine(line: Place, document: Place): boolean {
  return line.salesOrderId === document.salesOrderId && line.position === document.position;
}

/** A row of a list, where the document is newer. */
export function patchRow<Row extends LineRow>(line: Row, document: LineDocument): Row {
  if (!isSameLine(line, document) || document.version <= line.version) return line;
  return {
    ...line,
    ...document,
    // Those who may not read it get none in an event; what an answer gave them stays.
    customerId: document.customerId ?? line.customerId,
    status: document.status as LineStatus,
    orderStatus: document.orderStatus as OrderStatus,
    actions: actionsOf(document, line.actions),
  };
}

/** The row of a line of which only the document is known. */
export function rowOf(document: LineDocument, thumbnail: string | null): LineRow {
  const nothing = {
    statuses: [],
    movements: [],
    release: [],
    undo: [],
    edit: false,
    history: false,
  };
  return {
    ...document,
    customerId: document.customerId ?? 0, // Who may not read it is shown nothing that leads to it.
    status: document.status as LineStatus,
    orderStatus: document.orderStatus as OrderStatus,
    actions: actionsOf(document, nothing),
    thumbnail,
    quinto: "",
    salesOrderNotes: "",
  };
}

/** A line after a change, and the records that it touched. An event of an order brings several, without records. */
export interface LineChange {
  id: number;
  data: Pick<LineEvent["data"], "line" | "records">;
}

/** A whole line: as a row, and its history. */
export function patchLine(line: Line, { data }: LineChange): Line {
  const patched = patchRow(line, data.line);
  if (patched === line) return line;
  return {
    ...patched,
    salesOrderPositionNotes: patched.notes,
    salesOrderStatusName: patched.status,
    productionProcesses: patched.actions.history
      ? patchHistory(line.productionProcesses, data.records)
      : [],
  };
}

/** The records that changed take the place of what they were, or stand where the server would list them. */
export function patchHistory(
  records: ProcessRecord[],
  changed: readonly ProcessRecord[],
): ProcessRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  for (const record of changed) byId.set(record.id, record);
  return [...byId.values()].toSorted(
    (one, other) => Date.parse(other.inputDate) - Date.parse(one.inputDate) || other.id - one.id,
  );
}

export function patchLineRows(list: List<LineRow>, document: LineDocument): List<LineRow> {
  return patchRows(list, (line) => patchRow(line, document));
}

/** An order's status in the list; its figures are the server's. */
export function patchOrderRows(
  list: List<OrderSummary>,
  { data: { line } }: LineEvent,
): List<OrderSummary> {
  return patchRows(list, (row) =>
    row.id === line.salesOrderId &&
    line.orderVersion >= row.version &&
    row.status !== line.orderStatus
      ? { ...row, status: line.orderStatus as OrderStatus, version: line.orderVersion }
      : row,
  );
}

export function patchOrder(order: SalesOrder, event: LineEvent): SalesOrder {
  const { line } = event.data;
  if (order.id !== line.salesOrderId) return order;
  // An event from before the order was loaded has a status that is out of date.
  const older = line.orderVersion < order.version;
  const items = order.items.map((each) => patchLine(each, event));
  if (older && items.every((each, index) => each === order.items[index])) return order;
  return {
    ...order,
    ...(older ? {} : { status: line.orderStatus as OrderStatus, version: line.orderVersion }),
    ...figuresOf(items),
    ...(tellsProgress(order, event) ? { progress: progressOf({ ...order, items }) } : {}),
    items,
    ...(endsDeleting(event)
      ? { offers: { delete: false }, actions: { ...order.actions, delete: false } }
      : {}),
  };
}

/** An order's own event: its head where it is newer, and the lines that it brings. */
export function patchWholeOrder(order: SalesOrder, { id, data }: OrderEvent): SalesOrder {
  const { lines, offers } = data;
  const items = order.items.map((item) =>
    (lines ?? []).reduce<Line>(
      (now, line) => patchLine(now, { id, data: { line, records: [] } }),
      item,
    ),
  );
  return {
    ...newer(order, headOf(data), orderActions(offers)),
    ...figuresOf(items),
    items,
  };
}

/** The row of an order, where its document is newer. */
export function patchSummaries(list: List<OrderSummary>, { data }: OrderEvent): List<OrderSummary> {
  return patchRows(list, (row) => newer(row, headOf(data), orderActions(data.offers)));
}

function headOf(data: OrderEvent["data"]) {
  const { lines: _, ...head } = data;
  return { ...head, status: head.status as OrderStatus };
}

/** A document replaces an older one; which of its offers the person may take is his own. */
export function newer<T extends { id: number; version: number; actions: object }>(
  kept: T,
  document: Partial<T> & { id: number; version: number },
  actions: T["actions"],
): T {
  if (document.id !== kept.id || document.version <= kept.version) return kept;
  return { ...kept, ...document, actions };
}

/** The same list where no row changes. */
export function patchRows<T>(list: List<T>, patch: (row: T) => T): List<T> {
  const rows = list.rows.map(patch);
  return rows.every((row, index) => row === list.rows[index]) ? list : { ...list, rows };
}

/**
 * The event carries all that the board shows of its line, and replaces what the board showed of it. So an event that
 * comes twice, late, or after the board was loaded with it, adds nothing.
 */
export function patchBoard(board: ShopFloor, { id, data: { line: data } }: LineChange): ShopFloor {
  const shown = board.lines.find((line) => isSameLine(line, data));
  if (id <= board.eventId || (shown !== undefined && data.version <= shown.version)) {
    return board;
  }
  const item = board.items.find(({ itemId }) => itemId === data.itemId);
  // A picture of the line's own is known from the last load; its product's, of every product with open lines.
  const picture = data.ownImage ? (shown?.image ?? null) : (item?.image ?? null);
  const lanes = board.lanes.map((lane) => {
    const process = lane.productionProcessId;
    const mine = lane.cards.filter((card) => isSameLine(card, data));
    const now = data.inside.filter((pieces) => pieces.productionProcessId === process);
    const left = leftOf(data, process) - leftOf(shown, process);
    if (mine.length === 0 && now.length === 0 && left === 0) return lane;
    const others = lane.cards.filter((card) => !mine.includes(card));
    const cards = [...others, ...now.map((pieces) => cardOf(pieces, data, picture))];
    cards.sort(
      (one, other) =>
        Date.parse(one.since) - Date.parse(other.since) || one.recordId - other.recordId,
    );
    return { ...lane, leftToday: lane.leftToday + left, cards };
  });
  const lines = board.lines.filter((line) => line !== shown);
  lines.push({
    salesOrderId: data.salesOrderId,
    position: data.position,
    version: data.version,
    late: data.late,
    image: shown?.image ?? null,
    leftToday: data.leftToday,
    waiting: waitingOf(data.offers.in, item?.productionProcessIds ?? null),
    offers: data.offers,
  });
  return { ...board, lanes, lines };
}

function leftOf(line: Pick<LineDocument, "leftToday"> | undefined, process: number): number {
  return (
    line?.leftToday.find(({ productionProcessId }) => productionProcessId === process)?.quantity ??
    0
  );
}

/** Pieces inside a process, as boards and stations show them. */
export function cardOf(
  { recordId, quantity, since, by }: LineDocument["inside"][number],
  data: Pick<
    LineDocument,
    | "salesOrderId"
    | "position"
    | "customerSalesOrderId"
    | "customerName"
    | "itemId"
    | "itemName"
    | "quantity"
    | "deliveryDate"
    | "late"
  >,
  image: string | null,
): ShopFloorCard {
  return {
    recordId,
    salesOrderId: data.salesOrderId,
    position: data.position,
    customerSalesOrderId: data.customerSalesOrderId,
    customerName: data.customerName,
    itemId: data.itemId,
    itemName: data.itemName,
    image,
    pieces: quantity,
    quantity: data.quantity,
    since,
    by,
    deliveryDate: data.deliveryDate,
    late: data.late,
  };
}
