/** Where payments stand in the address. Specification 2, section 2. */
export function paymentPath(paymentId: number): string {
  return `/reports/paid-orders?record=${paymentId}`;
}
