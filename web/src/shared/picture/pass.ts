/** Add the session's pass to addresses of pictures in events, which are the same for all users. */

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
