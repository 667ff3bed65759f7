import type { components } from "./openapi";

type S = components["schemas"];
type Event<T extends string, D> = T extends string
  ? {
      id: number;
      type: T;
      at: string;
      by: { id: number; fullName: string } | null;
      data: D;
    }
  : never;
type LineData = {
  salesOrderId: number;
  position: number;
  customerSalesOrderId: string;
  customerName: string;
  itemName: string;
  itemId: number;
  status: S["LineOut"]["status"];
  orderStatus: S["LineOut"]["orderStatus"];
  quantity: number;
  quantityInside: number;
  quantityAvailable: number;
  deliveryDate: string | null;
  version: number;
  currentProductionProcess: S["ProcessRef"] | null;
  lastProductionProcess: S["ProcessRef"] | null;
  inside: {
    productionProcessId: number;
    productionProcessName: string;
    quantity: number;
    since: string;
    by: string;
  }[];
  record: S["RecordOut"] | null;
  records: S["RecordOut"][];
};
type IdData = { id: number };

export type LiveEvent =
  | Event<"line.moved" | "line.released" | "line.status-changed" | "line.changed", LineData>
  | Event<"order.created" | "order.changed" | "order.deleted", IdData>
  | Event<"delivery.changed" | "payment.changed", IdData>
  | Event<"notification.created" | "notification.read", IdData>
  | Event<"catalog.changed", IdData & { catalog: string }>
  | Event<"session.ended" | "permissions.changed", IdData>;
