export const BALANCES = "/operations/metal";
export const LEDGER = "/operations/metal/ledger";
export const LOTS = "/operations/metal/lots";
export const REFINING = "/operations/metal/refining";
export const COUNTS = "/operations/metal/counts";
export const TRAYS = "/operations/metal/trays";
export const DAY = "/operations/metal/day";

/** The list of lines with a loss that nobody has signed yet. */
export const TO_SIGN = "/operations/orders?toSign=true";

/** The ledger of one account. */
export const ledgerPath = (accountId: number): string => `${LEDGER}?accountId=${accountId}`;
