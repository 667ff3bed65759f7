export function paymentPath(paymentId: number): string {
  return `/reports/paid-orders?record=${paymentId}`;
}
