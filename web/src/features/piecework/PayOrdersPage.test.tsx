import { screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { Payable, Permission } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { showPage } from "@/testing/pages";
import PayOrdersPage from "./PayOrdersPage";

beforeAll(() => startI18n());

const ROW: Payable = {
  id: 1,
  salesOrderId: 1,
  position: 1,
  customerSalesOrderId: "A-1",
  customerId: 1,
  customerName: "Joyas",
  itemName: "Anillo",
  productionProcessId: 2,
  productionProcessName: "Pulido",
  userId: 7,
  outputUsername: "Ana Torres",
  inputDate: "2026-03-02T12:00:00.000Z",
  outputDate: "2026-03-02T13:00:00.000Z",
  outputReceivedAt: null,
  quantity: 10,
  paidQuantity: 0,
  remainingQuantity: 10,
  remainingGrams: null,
  unit: "piece",
  price: 9.25,
  currency: "MXN",
};

const boxes: [string, Permission[], number][] = [
  ["looks alone", ["ReportPayOrders"], 0],
  ["pays", ["ReportPayOrders", "CreatePay"], 1],
];
it.each(boxes)("who %s with %j has %i boxes to tick", async (_, permissions, count) => {
  showPage(<PayOrdersPage />, {
    at: "/reports/pay-orders?view=records",
    permissions,
    answers: { "GET /api/sales-order/positions/production-processes": [ROW] },
  });
  await screen.findByText("Ana Torres");
  await waitFor(() =>
    expect(document.querySelectorAll(".ant-table-row input[type=checkbox]")).toHaveLength(count),
  );
});
