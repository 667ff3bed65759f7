/** What this browser keeps for one session alone: it goes with the session, however that ends. */

/** In session storage, with the name of the session behind it: who is named at a station. */
const OPERATOR = "stationOperator";
/** The database in which a station keeps its last known lists. */
export const STATIONS = "obrador-known-stations";

/** The end of the signature names the session and gives nothing away. */
export const sessionName = (token: string): string => token.slice(-12);

export const operatorKey = (token: string): string => `${OPERATOR}:${sessionName(token)}`;

/** Drops who was named in any session but that of `token`. */
export function dropOperatorsBut(token: string | null): void {
  const own = token === null ? null : operatorKey(token);
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(OPERATOR) && key !== own) sessionStorage.removeItem(key);
  }
  localStorage.removeItem(OPERATOR); // where releases before this one kept it
}

/** The session ended, or another one begins. */
export function dropKept(): void {
  dropOperatorsBut(null);
  indexedDB.deleteDatabase(STATIONS);
}
