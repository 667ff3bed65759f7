/** What piece work is paid in, and what a price is in where nobody said: the server's setting. */
const DEFAULT_CURRENCY = "MXN";
let currency = DEFAULT_CURRENCY;

/** Told at sign-in, with the time zone. */
export function setPlantCurrency(code: string | undefined): void {
  currency = code ?? DEFAULT_CURRENCY;
}

export function plantCurrency(): string {
  return currency;
}
