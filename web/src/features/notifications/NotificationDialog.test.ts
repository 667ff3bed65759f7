import { expect, it } from "vitest";
import type { Notification } from "@/contract";
import { sorted } from "./NotificationDialog";

const notification = (id: number, read: boolean, type: Notification["type"]): Notification => ({
  id,
  read,
  type,
  createdAt: "2026-03-14T12:00:00Z",
  message: {
    notes: "PO-1",
    position: 1,
    salesOrderId: 1,
    productionProcessId: null,
    productionProcessName: null,
    insideSince: null,
    deliveryDate: null,
  },
});

it("reads unread ones first, and those without an exit first among them", () => {
  const rows = [
    notification(1, true, "SalesOrderWithoutOutputProcess"),
    notification(2, false, "SalesOrderDeliveryDateExpiring"),
    notification(3, false, "SalesOrderWithoutOutputProcess"),
    notification(4, false, "SalesOrderDeliveryDateExpiring"),
  ];
  expect(sorted(rows).map(({ id }) => id)).toEqual([3, 2, 4, 1]);
});
