export const BILLS = "/reports/bills";
export const NEW_BILL = `${BILLS}/new`;

export function billPath(billId: number): string {
  return `${BILLS}/${billId}`;
}

export function editPath(billId: number): string {
  return `${billPath(billId)}/edit`;
}
