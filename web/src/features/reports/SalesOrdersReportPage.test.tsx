import { screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aLine } from "@/testing/lines";
import { showPage } from "@/testing/pages";
import SalesOrdersReportPage from "./SalesOrdersReportPage";

beforeAll(() => startI18n());

it("says how many pieces of a line are left after scrap", async () => {
  const whole = aLine();
  const scrapped = aLine({ id: 8, customerSalesOrderId: "PO-8", quantityGood: 6 });
  await showPage(<SalesOrdersReportPage />, {
    at: "/reports/sales-orders?from=2026-03-01",
    answers: {
      "GET /api/reports": { salesOrderPositions: [whole, scrapped] },
      "GET /api/reports/totals": {
        lines: 2,
        quantity: 20,
        quantityDone: 0,
        quantityBilled: 0,
        late: 0,
      },
    },
  });
  await screen.findByText(scrapped.customerSalesOrderId);
  const said = (po: string) => screen.getByText(po).closest("tr")!.textContent;
  expect(said(scrapped.customerSalesOrderId)).toContain("6 de 10");
  expect(said(whole.customerSalesOrderId)).not.toContain("de 10");
});
