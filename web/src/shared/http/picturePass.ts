/**
 * The session's pass for pictures. It comes with the live ticket. Lines and events have addresses
 * without it, and this module adds it.
 */
import { external } from "@/shared/external";

const pass = external("");
const STORED = "/api/images/";

/** Store the pass from a live ticket (`pictures`). */
export function storePass(next: string): void {
  if (next !== pass.get()) pass.set(next);
}

/** Store the pass in a picture's address from an answer, which may be newer than the ticket's. */
export function notePass(address: string): void {
  const [, found] = address.split("?");
  if (found !== undefined) storePass(found);
}

/** Hook: the address that opens a picture; null if there is none, or the pass has not come yet. */
export function useOpenAddress(place: string | null | undefined): string | null {
  const now = pass.use();
  if (!place) return null;
  if (!place.startsWith(STORED) || place.includes("?")) return place;
  return now === "" ? null : `${place}?${now}`;
}
