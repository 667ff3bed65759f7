import { expect, it } from "vitest";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { reportCall, type ReportFilter } from "./reports.api";

const WHOLE = { customerId: "4", status: "Done", from: "2026-03-01", to: "2026-03-31" };
const call = (server: Record<string, string>) => reportCall({ server } as TableQuery<ReportFilter>);

it("uses the path with customer, status and both days if all are chosen", () => {
  expect(call({ ...WHOLE, shown: "all", search: "oro", ordering: "-salesOrderDate" })).toEqual({
    path: "/api/reports/customer/{customer_id}/sales-orders/status/{status}/start-date/{start_date}/end-date/{end_date}",
    asked: {
      path: { customer_id: 4, status: "Done", start_date: "2026-03-01", end_date: "2026-03-31" },
      query: { search: "oro", ordering: "-salesOrderDate" },
    },
  });
});

it.each(["customerId", "status", "from", "to"])("uses the general path without %s", (missing) => {
  const { [missing as "to"]: _, ...rest } = WHOLE;
  expect(call(rest)).toEqual({ path: "/api/reports", asked: { path: {}, query: rest } });
});

it("leaves an invalid customer for the server to refuse", () => {
  expect(call({ ...WHOLE, customerId: "x" }).path).toBe("/api/reports");
});
