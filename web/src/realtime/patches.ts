/** Draws a line's event into data that is already on screen. What is not newer than the data changes nothing. */
import type {
  Line,
  LineEvent,
  LineStatus,
  OrderStatus,
  ProcessRecord,
  SalesOrder,
  ShopFloor,
  ShopFloorCard,
} from "@/contract";
import type { List } from "@/shared/http/list";

type Place = { salesOrderId: number; position: number };

function concerns(line: Place, { data }: LineEvent): boolean {
  return line.salesOrderId === data.salesOrderId && line.position === data.position;
}

export function patchLine(line: Line, event: LineEvent): Line {
  const { data } = event;
  if (!concerns(line, event) || data.version <= line.version) return line;
  return {
    ...line,
    status: data.status as LineStatus,
    salesOrderStatusName: data.status as LineStatus,
    orderStatus: data.orderStatus as OrderStatus,
    quantity: data.quantity,
    quantityInside: data.quantityInside,
    quantityAvailable: data.quantityAvailable,
    deliveryDate: data.deliveryDate,
    currentProductionProcess: data.currentProductionProcess,
    lastProductionProcess: data.lastProductionProcess,
    inside: data.inside,
    productionProcesses: line.actions.history
      ? mergeRecords(line.productionProcesses, data.records)
      : [],
    version: data.version,
  };
}

/** Records by id, in their old order; new ones at the end. */
function mergeRecords(old: ProcessRecord[], changed: ProcessRecord[]): ProcessRecord[] {
  const byId = new Map(old.map((record) => [record.id, record]));
  for (const record of changed) byId.set(record.id, record);
  return [...byId.values()];
}

export function patchLineRows(list: List<Line>, event: LineEvent): List<Line> {
  if (!list.rows.some((line) => concerns(line, event))) return list;
  return { ...list, rows: list.rows.map((line) => patchLine(line, event)) };
}

export function patchOrder(order: SalesOrder, event: LineEvent): SalesOrder {
  if (order.id !== event.data.salesOrderId) return order;
  // An event of before the order was loaded tells of a status that it has no more.
  const older = event.data.orderVersion < order.version;
  const items = order.items.map((line) => patchLine(line, event));
  if (older && items.every((line, index) => line === order.items[index])) return order;
  return { ...order, ...(older ? {} : { status: event.data.orderStatus as OrderStatus }), items };
}

/**
 * The event tells all that the board shows of its line, which takes the place of what the board showed of it. So an
 * event that comes twice, late, or after the board was loaded with it, adds nothing.
 */
export function patchBoard(board: ShopFloor, event: LineEvent): ShopFloor {
  const { data } = event;
  const shown = board.lines.find((line) => concerns(line, event));
  if (event.id <= board.eventId || (shown !== undefined && data.version <= shown.version)) {
    return board;
  }
  const lanes = board.lanes.map((lane) => {
    const process = lane.productionProcessId;
    const mine = lane.cards.filter((card) => concerns(card, event));
    const now = data.inside.filter((pieces) => pieces.productionProcessId === process);
    const left = leftOf(data, process) - leftOf(shown, process);
    if (mine.length === 0 && now.length === 0 && left === 0) return lane;
    const others = lane.cards.filter((card) => !mine.includes(card));
    const cards = [...others, ...now.map((pieces) => cardOf(pieces, event, mine))];
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

function leftOf(line: Pick<LineEvent["data"], "leftToday"> | undefined, process: number): number {
  return (
    line?.leftToday.find(({ productionProcessId }) => productionProcessId === process)?.quantity ??
    0
  );
}

function cardOf(
  { recordId, quantity, since, by }: LineEvent["data"]["inside"][number],
  { data }: LineEvent,
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
