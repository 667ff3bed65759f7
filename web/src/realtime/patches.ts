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
    const left = event.type === "line.moved" ? piecesLeft(event, process, mine, now) : 0;
    if (mine.length === 0 && now.length === 0 && left === 0) return lane;
    const others = lane.cards.filter((each) => !mine.includes(each));
    const cards = [...others, ...now.map((pieces) => cardOf(pieces, event, board.today, mine))];
    cards.sort((one, other) => Date.parse(one.since) - Date.parse(other.since));
    return { ...lane, leftToday: lane.leftToday + left, cards };
  });
  return { ...board, lanes };
}

type Inside = LineEvent["data"]["inside"][number];

const sum = (pieces: number[]) => pieces.reduce((all, some) => all + some, 0);

/** Who may not read the history is told no records: then what is inside no longer has left. */
function piecesLeft(
  { data }: LineEvent,
  process: number,
  before: ShopFloorCard[],
  now: Inside[],
): number {
  if (data.record === null) {
    const were = sum(before.map(({ pieces }) => pieces));
    return Math.max(0, were - sum(now.map(({ quantity }) => quantity)));
  }
  const { outputDate } = data.record;
  if (outputDate === null) return 0;
  return sum(
    data.records
      .filter((each) => each.outputDate === outputDate && each.productionProcessId === process)
      .map(({ quantity }) => quantity),
  );
}

function cardOf(
  { recordId, quantity, since, by }: Inside,
  { data }: LineEvent,
  today: string,
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
    image: before[0]?.image ?? null,
    pieces: quantity,
    quantity: data.quantity,
    since,
    by,
    deliveryDate: data.deliveryDate,
    late: data.deliveryDate !== null && data.deliveryDate < today,
  };
}
