/** A wall screen's own token, which is nobody's session: midnight and sign-outs do not concern it. See infra/docs/rules.md#displays. */

import { useEffect } from "react";
import { external } from "@/shared/external";
import { setPlantZone } from "@/shared/format/plant";
import { parseStored } from "./stored";

export interface PairedDisplay {
  token: string;
  /** The plant's time zone, in which the wall tells the time. */
  zone: string;
}

const KEY = "display";

/** Whose calls this page sends while it is a wall screen. */
const acting = external<string | null>(null);

export const displayToken = acting.get;

/** The page's calls are the display's while it is drawn; true once they are: nothing may be asked before. */
export function useActingDisplay({ token, zone }: PairedDisplay): boolean {
  useEffect(() => {
    setPlantZone(zone);
    acting.set(token);
    return () => acting.set(null);
  }, [token, zone]);
  return acting.use() === token;
}

export function readDisplay(): PairedDisplay | null {
  const kept = parseStored(localStorage.getItem(KEY));
  if (typeof kept !== "object" || kept === null || !("token" in kept) || !("zone" in kept))
    return null;
  const { token, zone } = kept;
  return typeof token === "string" && typeof zone === "string" ? { token, zone } : null;
}

export function storeDisplay(display: PairedDisplay): void {
  localStorage.setItem(KEY, JSON.stringify(display));
}

/** The screen was revoked: what it was is worth nothing any more, and a newer pairing of another tab stays. */
export function forgetDisplay(token: string): void {
  if (readDisplay()?.token === token) localStorage.removeItem(KEY);
}
