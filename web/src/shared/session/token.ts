/** The claims of an access token, read without verification: only the server can verify them. */
export interface Claims {
  /** The user's id. */
  sub: string;
  /** The token's id. */
  jti?: string;
  /** The plant's time zone, if the server sends it. */
  zone?: string;
  /** The plant's currency, if the server sends it. */
  currency?: string;
}

/** Decode the claims of a JWT; null if it is not one. */
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
    return null; // The text cannot be decoded, so it is not a token.
  }
}

function isClaims(value: unknown): value is Claims {
  return (
    typeof value === "object" && value !== null && "sub" in value && typeof value.sub === "string"
  );
}
