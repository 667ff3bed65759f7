/** The shared catalogs: SAT units, countries, calling codes and so on, in the user's language. */

import { useEffect, useMemo } from "react";
import type { SharedCatalog } from "@/contract";
import { external } from "@/shared/external";
import { today } from "@/shared/format/plant";
import { api, call, QUIET } from "@/shared/http/client";
import { useLanguage } from "@/shared/i18n";
import { toastUnasked } from "@/shared/ui/errors";

export type SharedCatalogKey =
  | "satUnits"
  | "countries"
  | "callingCodes"
  | "currencies"
  | "customsRegimes"
  | "fiscalRegimes"
  | "statuses";

export interface Term {
  code: string;
  name: string;
}

/** Return the shared catalogs, and load them if they were not loaded today. */
export function useSharedCatalogs(): SharedCatalogs {
  useEffect(() => {
    loadSharedCatalogs(() => call(api.GET("/api/catalogs", { headers: QUIET }))).catch(
      toastUnasked,
    );
  }, []);
  return catalogs.use();
}

/** One shared catalog, sorted by name; undefined until it is loaded. */
export function useTerms(key: SharedCatalogKey): Term[] | undefined {
  const { list } = useSharedCatalogs();
  const language = useLanguage();
  return useMemo(
    () =>
      list
        .find((catalog) => catalog.key === key)
        ?.entries.map(({ code, nameEs, nameEn }) => ({
          code,
          name: language === "es" ? nameEs : nameEn,
        }))
        .toSorted((one, other) => one.name.localeCompare(other.name, language)),
    [list, key, language],
  );
}

interface SharedCatalogs {
  loading: boolean;
  list: readonly SharedCatalog[];
  /** `YYYY-MM-DD`; empty before the first load. */
  dateUpdate: string;
}

const catalogs = external<SharedCatalogs>({ loading: false, list: [], dateUpdate: "" });
export const getSharedCatalogs = catalogs.get;

const change = (next: Partial<SharedCatalogs>) => catalogs.set({ ...catalogs.get(), ...next });

/** Load the catalogs unless they are loading or were loaded today. Rejects if `load` does; the next call retries. */
export async function loadSharedCatalogs(load: () => Promise<SharedCatalog[]>): Promise<void> {
  const current = catalogs.get();
  if (current.loading || (current.list.length > 0 && current.dateUpdate === today())) return;
  change({ loading: true });
  try {
    const list = await load();
    change({ list, dateUpdate: today() });
  } finally {
    change({ loading: false });
  }
}
