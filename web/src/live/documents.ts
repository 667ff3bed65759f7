/** Applies a line's document to data that is already on screen. What is not newer than the data changes nothing. */
import type {
  Line,
  LineDocument,
  LineEvent,
  LineRow,
  LineStatus,
  OrderStatus,
  OrderSummary,
  ProcessRecord,
  SalesOrder,
  ShopFloor,
  ShopFloorCard,
} from "@/contract";
import type { List } from "@/shared/http/data";
import { endsDeleting, figuresOf } from "./derived";
import { actionsOf } from "./mask";

type Place = { salesOrderId: number; position: number };

function concerns(line: Place, document: Place): boolean {
  return line.salesOrderId === document.salesOrderId && line.position === document.position;
}

/** A row of a list, where the document is newer. */
export function patchRow<Row extends LineRow>(line: Row, document: LineDocument): Row {
  if (!concerns(line, document) || document.version <= line.version) return line;
  return {
    ...line,
    ...document,
    // Those who may not read it get none in an event; what an answer told them stays.
    customerId: document.customerId ?? line.customerId,
    status: document.status as LineStatus,
    orderStatus: document.orderStatus as OrderStatus,
    actions: actionsOf(document, line.actions),
  };
}

/** A whole line: as a row, and its history. */
export function patchLine(line: Line, { data }: LineEvent): Line {
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
  if (!list.rows.some((line) => concerns(line, document))) return list;
  return { ...list, rows: list.rows.map((line) => patchRow(line, document)) };
}

/** An order's status in the list; its figures are the server's. */
export function patchOrderRows(
  list: List<OrderSummary>,
  { data: { line } }: LineEvent,
): List<OrderSummary> {
  const stale = ({ id, version, status }: OrderSummary) =>
    id === line.salesOrderId && line.orderVersion >= version && status !== line.orderStatus;
  if (!list.rows.some(stale)) return list;
  return {
    ...list,
    rows: list.rows.map((row) =>
      stale(row)
        ? { ...row, status: line.orderStatus as OrderStatus, version: line.orderVersion }
        : row,
    ),
  };
}

export function patchOrder(order: SalesOrder, event: LineEvent): SalesOrder {
  const { line } = event.data;
  if (order.id !== line.salesOrderId) return order;
  // An event of before the order was loaded tells of a status that it has no more.
  const older = line.orderVersion < order.version;
  const items = order.items.map((each) => patchLine(each, event));
  if (older && items.every((each, index) => each === order.items[index])) return order;
  return {
    ...order,
    ...(older ? {} : { status: line.orderStatus as OrderStatus, version: line.orderVersion }),
    ...figuresOf(items),
    items,
    actions: { ...order.actions, delete: order.actions.delete && !endsDeleting(event) },
  };
}

/**
 * The event tells all that the board shows of its line, which takes the place of what the board showed of it. So an
 * event that comes twice, late, or after the board was loaded with it, adds nothing.
 */
export function patchBoard(board: ShopFloor, { id, data: { line: data } }: LineEvent): ShopFloor {
  const shown = board.lines.find((line) => concerns(line, data));
  if (id <= board.eventId || (shown !== undefined && data.version <= shown.version)) {
    return board;
  }
  const lanes = board.lanes.map((lane) => {
    const process = lane.productionProcessId;
    const mine = lane.cards.filter((card) => concerns(card, data));
    const now = data.inside.filter((pieces) => pieces.productionProcessId === process);
    const left = leftOf(data, process) - leftOf(shown, process);
    if (mine.length === 0 && now.length === 0 && left === 0) return lane;
    const others = lane.cards.filter((card) => !mine.includes(card));
    const cards = [...others, ...now.map((pieces) => cardOf(pieces, data, mine))];
    cards.sort(
      (one, other) =>
        Date.parse(one.since) - Date.parse(other.since) || one.recordId - other.recordId,
    );
    return { ...lane, leftToday: lane.leftToday + left, cards };
  });
  const { salesOrderId, position, version, leftToday } = data;
  const lines = board.lines.filter((line) => line !== shown);
  return { ...board, lanes, lines: [...lines, { salesOrderId, position, version, leftToday }] };
}

function leftOf(line: Pick<LineDocument, "leftToday"> | undefined, process: number): number {
  return (
    line?.leftToday.find(({ productionProcessId }) => productionProcessId === process)?.quantity ??
    0
  );
}

function cardOf(
  { recordId, quantity, since, by }: LineDocument["inside"][number],
  data: LineDocument,
  before: ShopFloorCard[],
): ShopFloorCard {
  return {
    recordId,
    salesOrderId: data.salesOrderId,
    position: data.position,
    customerSalesOrderId: data.customerSalesOrderId,
    customerName: data.customerName,
    itemId: data.itemId,
    itemName: data.itemName,
    image: before.find((card) => card.recordId === recordId)?.image ?? null,
    pieces: quantity,
    quantity: data.quantity,
    since,
    by,
    deliveryDate: data.deliveryDate,
    late: data.late,
  };
}
