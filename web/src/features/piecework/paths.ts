export const PAID = "/reports/paid-orders";

export function paymentPath(paymentId: number): string {
  return `${PAID}?record=${paymentId}`;
}
