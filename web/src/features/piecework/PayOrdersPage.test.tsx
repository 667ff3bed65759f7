import { screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { Permission } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { showPage } from "@/testing/pages";
import { aPayable } from "@/testing/payables";
import PayOrdersPage from "./PayOrdersPage";

beforeAll(() => startI18n());

const boxes: [string, Permission[], number][] = [
  ["looks alone", ["ReportPayOrders"], 0],
  ["pays", ["ReportPayOrders", "CreatePay"], 1],
];
it.each(boxes)("who %s with %j has %i boxes to tick", async (_, permissions, count) => {
  showPage(<PayOrdersPage />, {
    at: "/reports/pay-orders?view=records",
    permissions,
    answers: { "GET /api/sales-order/positions/production-processes": [aPayable()] },
  });
  await screen.findByText("Ana Torres");
  await waitFor(() =>
    expect(document.querySelectorAll(".ant-table-row input[type=checkbox]")).toHaveLength(count),
  );
});
