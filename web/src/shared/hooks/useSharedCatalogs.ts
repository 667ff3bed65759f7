/** The shared catalogs: SAT units, countries, calling codes and so on, in the person's language. Contract, section 3. */
import { useMemo } from "react";
import useSWR from "swr";
import type { SharedCatalog } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { useLanguage } from "@/shared/i18n";
import { keys } from "@/shared/keys";

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

/** They change with a release, so one load serves every screen. */
export function useSharedCatalogs() {
  return useSWR<SharedCatalog[], ApiError>(
    keys.sharedCatalogs(),
    () => call(api.GET("/api/catalogs", { headers: QUIET })),
    { revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false },
  );
}

/** One shared catalog, sorted by name; undefined until it is loaded. */
export function useTerms(key: SharedCatalogKey): Term[] | undefined {
  const { data } = useSharedCatalogs();
  const language = useLanguage();
  return useMemo(
    () =>
      data
        ?.find((catalog) => catalog.key === key)
        ?.entries.map(({ code, nameEs, nameEn }) => ({
          code,
          name: language === "es" ? nameEs : nameEn,
        }))
        .toSorted((one, other) => one.name.localeCompare(other.name, language)),
    [data, key, language],
  );
}
