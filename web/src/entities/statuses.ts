/** The statuses of orders and lines, in the usual order. See infra/docs/rules.md#statuses. */
import type { LineStatus, OrderStatus } from "@/contract";

export const LINE_STATUSES: readonly LineStatus[] = [
  "New",
  "Approved",
  "InProcess",
  "Done",
  "Invoiced",
  "Canceled",
];

export const ORDER_STATUSES: readonly OrderStatus[] = [
  "New",
  "PartiallyApproved",
  "Approved",
  "InProcess",
  "Done",
  "Invoiced",
  "Canceled",
];
