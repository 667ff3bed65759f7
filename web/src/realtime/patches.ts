/** Draws a line's event into data that is already on screen. Older news than the data changes nothing. */
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

type Place = { salesOrderId: number; position: number; version: number };

function concerns(line: Omit<Place, "version">, { data }: LineEvent): boolean {
  return line.salesOrderId === data.salesOrderId && line.position === data.position;
}

export function patchLine(line: Line, event: LineEvent): Line {
  const { data } = event;
  if (!concerns(line, event) || data.version < line.version) return line;
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
  return {
    ...order,
    status: event.data.orderStatus as OrderStatus,
    items: order.items.map((line) => patchLine(line, event)),
  };
}

/** The line's cards leave every lane and stand again where its pieces are now; what left today is counted. */
export function patchBoard(board: ShopFloor, event: LineEvent): ShopFloor {
  const lanes = board.lanes.map((lane) => {
    const process = lane.productionProcessId;
    const mine = lane.cards.filter((each) => concerns(each, event));
    const now = event.data.inside.filter((pieces) => pieces.productionProcessId === process);
    const left = piecesLeft(event, process);
    if (mine.length === 0 && now.length === 0 && left === 0) return lane;
    const others = lane.cards.filter((each) => !mine.includes(each));
    const cards = [...others, ...now.map((pieces) => cardOf(pieces, event, board.today, mine))];
    cards.sort((one, other) => Date.parse(one.since) - Date.parse(other.since));
    return { ...lane, leftToday: lane.leftToday + left, cards };
  });
  return { ...board, lanes };
}

function piecesLeft({ type, data }: LineEvent, process: number): number {
  if (type !== "line.moved" || !data.record?.outputDate) return 0;
  const { outputDate } = data.record;
  return data.records
    .filter((record) => record.outputDate === outputDate && record.productionProcessId === process)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}

function cardOf(
  { productionProcessId, quantity, since, by }: LineEvent["data"]["inside"][number],
  { data }: LineEvent,
  today: string,
  before: ShopFloorCard[],
): ShopFloorCard {
  const known = before.find((old) => old.since === since);
  const record = data.records.find(
    (each) => each.inputDate === since && each.productionProcessId === productionProcessId,
  );
  return {
    recordId: known?.recordId ?? record?.id ?? 0,
    salesOrderId: data.salesOrderId,
    position: data.position,
    customerSalesOrderId: data.customerSalesOrderId,
    customerName: data.customerName,
    itemId: data.itemId,
    itemName: data.itemName,
    image: known?.image ?? null,
    pieces: quantity,
    quantity: data.quantity,
    since,
    by,
    deliveryDate: data.deliveryDate,
    late: data.deliveryDate !== null && data.deliveryDate < today,
  };
}
