/** The shared catalogs: SAT units, countries, calling codes and so on, in the person's language. Contract, section 3. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { api, call, QUIET } from "@/shared/http/client";
import { useLanguage } from "@/shared/i18n";
import {
  getSharedCatalogs,
  loadSharedCatalogs,
  subscribeSharedCatalogs,
  type SharedCatalogs,
} from "@/shared/session/sharedCatalogs";
import { toastError } from "@/shared/ui/errors";

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

/** Loads them once a day; the shell does so at its start, and again whatever needs them. */
export function useSharedCatalogs(): SharedCatalogs {
  useEffect(() => {
    loadSharedCatalogs(() => call(api.GET("/api/catalogs", { headers: QUIET }))).catch(toastError);
  }, []);
  return useSyncExternalStore(subscribeSharedCatalogs, getSharedCatalogs);
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
