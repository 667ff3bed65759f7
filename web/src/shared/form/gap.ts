/** What a page misses in another record: the shell opens the field that fills it in a drawer beside the page. */
import { CATALOGS } from "@/contract";
import { external } from "@/shared/external";
import { useMay } from "@/shared/session/session";

export interface Gap {
  /** `customers` and `companies` miss their commercial address, `items` their tariff item. */
  catalog: "customers" | "companies" | "items";
  id: number;
}

export const openGap = external<Gap | null>(null);

/** Return a function that opens the gap; undefined if the user may not fill it. */
export function useOpenGap(gap: Gap): (() => void) | undefined {
  return useMay(CATALOGS[gap.catalog].Update) ? () => openGap.set(gap) : undefined;
}
