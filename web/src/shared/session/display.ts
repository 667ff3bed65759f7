/** The token of a wall screen. Midnight and sign-outs do not end it. See infra/docs/rules.md#displays. */

import { useEffect } from "react";
import { external } from "@/shared/external";
import { setPlantZone } from "@/shared/format/plant";
import { ofBrowser, parseStored } from "@/shared/stored";

export interface PairedDisplay {
  token: string;
  /** The plant's time zone, for the times on the wall screen. */
  zone: string;
}

const KEY = "display";

/** The display's token while this page is a wall screen, else null. */
const acting = external<string | null>(null);

export const displayToken = acting.get;

/** Send the page's calls with the display's token while mounted. Returns true once they are: call nothing before. */
export function useActingDisplay({ token, zone }: PairedDisplay): boolean {
  useEffect(() => {
    setPlantZone(zone);
    acting.set(token);
    return () => acting.set(null);
  }, [token, zone]);
  return acting.use() === token;
}

export function readDisplay(): PairedDisplay | null {
  const kept = parseStored(ofBrowser.getItem(KEY));
  if (typeof kept !== "object" || kept === null || !("token" in kept) || !("zone" in kept))
    return null;
  const { token, zone } = kept;
  return typeof token === "string" && typeof zone === "string" ? { token, zone } : null;
}

export function storeDisplay(display: PairedDisplay): void {
  ofBrowser.setItem(KEY, JSON.stringify(display));
}

/** Delete the stored display after it was revoked, unless another tab has stored a newer pairing. */
export function forgetDisplay(token: string): void {
  if (readDisplay()?.token === token) ofBrowser.removeItem(KEY);
}
