/** The server's four bases and its socket, in one place, so that each can move to a host of its own. */
const bases: Record<string, string> = {
  "/api/": import.meta.env["VITE_API_BASE"] ?? "/api/",
  "/identity/": import.meta.env["VITE_IDENTITY_BASE"] ?? "/identity/",
  "/pdf/": import.meta.env["VITE_PDF_BASE"] ?? "/pdf/",
  "/ws/": import.meta.env["VITE_LIVE_BASE"] ?? "/ws/",
};

/** Turns a path of the contract, `/api/sales-order`, into the address it is served at. */
export function address(path: string): string {
  const prefix = Object.keys(bases).find((candidate) => path.startsWith(candidate));
  const served = prefix === undefined ? path : `${bases[prefix]}${path.slice(prefix.length)}`;
  return new URL(served, window.location.origin).href;
}

/** The same for a socket: `http` becomes `ws`. */
export function socketAddress(path: string): string {
  return address(path).replace(/^http/, "ws");
}
