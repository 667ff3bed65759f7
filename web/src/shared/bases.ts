/** The server's base addresses. The build can set each to another host. */
const bases: Record<string, string> = {
  "/api/": import.meta.env["VITE_API_BASE"] ?? "/api/",
  "/identity/": import.meta.env["VITE_IDENTITY_BASE"] ?? "/identity/",
  "/pdf/": import.meta.env["VITE_PDF_BASE"] ?? "/pdf/",
  "/ws/": import.meta.env["VITE_LIVE_BASE"] ?? "/ws/",
};

/** Convert a path of the contract, `/api/sales-order`, to its absolute address. */
export function address(path: string): string {
  const prefix = Object.keys(bases).find((candidate) => path.startsWith(candidate));
  const served = prefix === undefined ? path : `${bases[prefix]}${path.slice(prefix.length)}`;
  return new URL(served, window.location.origin).href;
}

/** Convert a path to the address of its socket: `http` becomes `ws`. */
export function socketAddress(path: string): string {
  return address(path).replace(/^http/, "ws");
}
