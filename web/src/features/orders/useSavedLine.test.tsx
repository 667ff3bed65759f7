import { renderHook } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it } from "vitest";
import { useSavedLine } from "./useSavedLine";

const PAGE = "/operations/sales-order/5/position/2";

it.each([
  ["its order, where it is open", "/operations/sales-orders/5?line=2&edit=x", null],
  ["its page, come from its order", "/operations/sales-orders/5/position/2/a", null],
  ["its page", "/operations/sales-orders/5/position/2", null],
  ["its page, as a sheet names it", PAGE, null],
  ["its order", "/operations/sales-orders/5", PAGE],
  ["its order, where another line is open", "/operations/sales-orders/5?line=20", PAGE],
  ["another line", "/operations/sales-orders/5/position/20/a", PAGE],
  ["another order", "/operations/sales-orders/50/position/2", PAGE],
  ["the list of lines", "/operations/orders?line=2", PAGE],
])(
  "links to the current page if it shows the line, else to the line's page: %s",
  (_where, here, elsewhere) => {
    const { result } = renderHook(useSavedLine, {
      wrapper: ({ children }) => <MemoryRouter initialEntries={[here]}>{children}</MemoryRouter>,
    });
    const line = { salesOrderId: 5, position: 2, customerSalesOrderId: "PO-1042" };
    expect(result.current(line).path).toBe(elsewhere ?? here);
  },
);
