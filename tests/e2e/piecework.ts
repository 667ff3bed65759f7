/** Helpers for the journeys of piecework: finished work that is not paid yet. */
import type { Line, ProcessRef, SalesOrder } from "@/contract";
import type { Api } from "./fixtures";
import { newPerson, type Made } from "./people";

const WORKER = [
  "ShopFloor",
  "SalesOrderPositionProcessIn",
  "SalesOrderPositionProcessOut",
  "ReportPayOrders",
];

/** Create a worker of the oldest process, who moves an order of ten pieces through it. */
export async function workDone(
  admin: Api,
  apiOf: (who: Made) => Promise<Api>,
): Promise<{ worker: Made; order: SalesOrder; api: Api; process: ProcessRef & { price: number } }> {
  const processId = await admin.firstId("production-processes");
  const { name, price } = await admin.call<{ name: string; price: number }>(
    "GET",
    `/api/production-processes/${processId}`,
  );
  const worker = await newPerson(admin, WORKER, { productionProcessIds: [processId] });
  const api = await apiOf(worker);
  const order = await admin.order(10);
  const line = await admin.approve(order.id);
  await through(api, line, processId);
  const process = { productionProcessId: processId, productionProcessName: name, price };
  return { worker, order, api, process };
}

export async function through(api: Api, line: Line, processId: number): Promise<void> {
  await api.move("in", line, processId);
  await api.move("out", line, processId);
}

export const PATH = "/api/sales-order/positions/production-processes";

export const money = (amount: number) => `$${amount.toFixed(2)} MXN`;
