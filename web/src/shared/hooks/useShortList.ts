/** A short list: the choices that forms offer, in the person's language. Contract, section 8. */
import { useMemo } from "react";
import useSWR from "swr";
import type { ShortListRow } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { useLanguage } from "@/shared/i18n";
import { keys, type ShortListName } from "@/shared/keys";

const pathOf = (list: ShortListName) => `/api/${list}` as "/api/customer-types";

export interface Choice {
  id: number;
  key: string;
  name: string;
  active: boolean;
}

/** All rows, by name; inactive ones too: what was chosen once keeps its name. */
export function useShortList(list: ShortListName) {
  const language = useLanguage();
  const { data, isLoading } = useSWR<ShortListRow[], ApiError>(
    keys.choices(list),
    () => call(api.GET(pathOf(list), { headers: QUIET })),
    // A change comes as an event; a table with a list in each row would ask with each row.
    { revalidateIfStale: false },
  );
  const rows = useMemo(
    () =>
      (data ?? [])
        .map(({ id, key, nameSpanish, nameEnglish, active }): Choice => {
          const name = language === "es" ? nameSpanish : nameEnglish;
          return { id, key, name, active };
        })
        .toSorted((one, other) => one.name.localeCompare(other.name, language)),
    [data, language],
  );
  return { rows, isLoading };
}
