/** Reads what the access token says about itself; only the server can tell whether it is true. */
export interface Claims {
  /** The user's id. */
  sub: string;
  /** The name of this one token. */
  jti?: string;
  /** The plant's time zone, where the server names it. */
  zone?: string;
  /** The currency of piece prices, likewise. */
  currency?: string;
}

/** The claims of a JWT, or null where it is not one. */
export function readClaims(token: string): Claims | null {
  const payload = token.split(".")[1];
  if (payload === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isClaims(claims) ? claims : null;
  } catch {
    return null; // Only decoding stands above: what cannot be decoded is not a token.
  }
}

function isClaims(value: unknown): value is Claims {
  return (
    typeof value === "object" && value !== null && "sub" in value && typeof value.sub === "string"
  );
}
