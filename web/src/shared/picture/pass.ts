/**
 * The session's pass for pictures. Events are the same for all users, so their addresses lack it,
 * and this module adds it.
 */

let pass = "";

/** Store the pass from a live ticket (`pictures`). */
export function storePass(next: string): void {
  pass = next;
}

/** Store the pass in a picture's address from an answer, which may be newer than the ticket's. */
export function notePass(address: string): void {
  const [, found] = address.split("?");
  if (found !== undefined) pass = found;
}

export function withPass(place: string | null): string | null {
  return place === null ? null : `${place}?${pass}`;
}
