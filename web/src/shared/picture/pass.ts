/** The addresses of pictures in events. An event is the same for every user, so it names a picture without the pass that opens it. */

let pass = "";

/** `pictures` of a ticket. */
export function storePass(next: string): void {
  pass = next;
}

/** The addresses in an answer carry the pass; it may be newer than the ticket's. */
export function notePass(address: string): void {
  const [, found] = address.split("?");
  if (found !== undefined) pass = found;
}

export function withPass(place: string | null): string | null {
  return place === null ? null : `${place}?${pass}`;
}
