/** A short list: the choices that forms offer, in the person's language. Contract, section 8. */
import { useMemo } from "react";
import { useAnswer } from "@/shared/http/data";
import { RESOURCES, type ShortListName } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";

export interface Choice {
  id: number;
  key: string;
  name: string;
  active: boolean;
}

/** All rows, by name; inactive ones too: what was chosen once keeps its name. */
export function useShortList(list: ShortListName) {
  const language = useLanguage();
  const { data, isLoading } = useAnswer(
    RESOURCES[list],
    {},
    // A change comes as an event; a table with a list in each row would ask with each row.
    { quiet: true, revalidateIfStale: false },
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
