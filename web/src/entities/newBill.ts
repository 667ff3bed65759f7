/** The way from an order or its lines to a new bill. */

interface Place {
  salesOrderId: number;
  position: number;
}

/**
 * Return the path of a new bill with a customer's billable lines: those of one order, or the lines
 * given. The page of bills reads it.
 */
export function newBillPath(
  of: { customerId: number } & ({ salesOrderId: number } | { lines: readonly Place[] }),
): string {
  const asked = new URLSearchParams({ customerId: String(of.customerId) });
  if ("lines" in of) {
    const keys = of.lines.map(({ salesOrderId, position }) => `${salesOrderId}-${position}`);
    asked.set("lines", keys.join(","));
  } else asked.set("salesOrderId", String(of.salesOrderId));
  return `/reports/bills/new?${asked.toString()}`;
}
