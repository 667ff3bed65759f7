/** Draws a line's event into data that is already on screen. Older news than the data changes nothing. */
import type { Line, LineEvent, ProcessRecord, SalesOrder } from "@/contract";
import type { List } from "@/shared/http/list";

/** What a wall screen draws of a line: what its events carry, so that a movement needs no other call. */
export type BoardLine = Pick<
  LineEvent["data"],
  | "salesOrderId"
  | "position"
  | "customerSalesOrderId"
  | "customerName"
  | "itemName"
  | "status"
  | "quantity"
  | "deliveryDate"
  | "inside"
  | "version"
>;

type Place = { salesOrderId: number; position: number; version: number };

function concerns(line: Place, { data }: LineEvent): boolean {
  return line.salesOrderId === data.salesOrderId && line.position === data.position;
}

export function patchLine(line: Line, event: LineEvent): Line {
  const { data } = event;
  if (!concerns(line, event) || data.version < line.version) return line;
  return {
    ...line,
    status: data.status,
    salesOrderStatusName: data.status,
    orderStatus: data.orderStatus,
    quantity: data.quantity,
    quantityInside: data.quantityInside,
    quantityAvailable: data.quantityAvailable,
    deliveryDate: data.deliveryDate,
    currentProductionProcess: data.currentProductionProcess,
    lastProductionProcess: data.lastProductionProcess,
    productionProcesses: mergeRecords(line.productionProcesses, data.records),
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
    status: event.data.orderStatus,
    items: order.items.map((line) => patchLine(line, event)),
  };
}

/** The board holds the lines with pieces inside a process; the others leave it. */
export function patchBoard(lines: BoardLine[], event: LineEvent): BoardLine[] {
  const { data } = event;
  const known = lines.find((line) => concerns(line, event));
  if (known !== undefined && data.version < known.version) return lines;
  const others = lines.filter((line) => line !== known);
  if (data.inside.length === 0) return known === undefined ? lines : others;
  const line: BoardLine = {
    salesOrderId: data.salesOrderId,
    position: data.position,
    customerSalesOrderId: data.customerSalesOrderId,
    customerName: data.customerName,
    itemName: data.itemName,
    status: data.status,
    quantity: data.quantity,
    deliveryDate: data.deliveryDate,
    inside: data.inside,
    version: data.version,
  };
  return [...others, line];
}
