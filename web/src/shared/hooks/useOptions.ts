/** Load the choices of forms: options of a catalog, which every signed-in user may read, and short lists. */
import { useMemo } from "react";
import { CATALOGS, type Option, type ShortListRow } from "@/contract";
import type words from "@/locales/es/forms.json";
import { useAnswer, useList } from "@/shared/http/data";
import { RESOURCES, type CatalogName, type ShortListName } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { useSession } from "@/shared/session/session";

/** The catalogs that forms offer: those with a text in `forms` for no results. */
export type OptionCatalog = Extract<
  CatalogName | "roles" | "users",
  keyof (typeof words)["nothing"]
>;

/** All these lists answer the same type of options, so the path of one stands for all. */
const listOf = (catalog: OptionCatalog) => RESOURCES[catalog] as "/api/customers";

/** The permission to read each catalog's records, and the flag of inactive ones. */
const CHOSEN = {
  ...CATALOGS,
  roles: { reads: "ListRoles", flag: null },
  users: { reads: "ListUsers", flag: null },
} as const;

const OFFERED = 30;

export interface OptionsWanted {
  search?: string;
  /** At most 200. */
  limit?: number;
  /** Include inactive options, so that those chosen earlier have a name. */
  inactive?: boolean;
  /** Of people: leave out those who have left. */
  active?: true;
}

/** Load the options with `search` in their name. The last answer is shown until the next arrives. */
export function useOptions(catalog: OptionCatalog, wanted: OptionsWanted = {}) {
  const { search = "", limit = OFFERED, inactive = false, active } = wanted;
  const query = {
    fields: "options",
    limit,
    ...(CHOSEN[catalog].flag === "status" && !inactive ? { status: true } : {}),
    ...(active && { active }),
    // In the order of the plant's processes.
    ...(catalog === "production-processes" ? { ordering: "place" } : {}),
    ...(search === "" ? {} : { search }),
  } as const;
  // With `fields=options` the list answers `Option` rows; those of processes have an English name too.
  const { data, isLoading, mutate } = useAnswer<"/api/customers", (Option & InEnglish)[]>(
    listOf(catalog),
    { query },
    { quiet: true, keepPreviousData: true },
  );
  const isEnglish = useLanguage() === "en";
  const named = useMemo(
    () => (isEnglish ? data?.map((row) => ({ ...row, name: row.nameEnglish || row.name })) : data),
    [data, isEnglish],
  );
  return { data: named, isLoading, mutate };
}

interface InEnglish {
  nameEnglish?: string;
}

/** How many options to search for a name if the user may not read the record. */
const LOOKED_THROUGH = 1_000;

/** The field with a record's name: every catalog has one of these. */
type Named = { fullName: string } | { code: string } | { name: string };

function nameOf(record: Named): string {
  if ("fullName" in record) return record.fullName;
  return "code" in record ? record.code : record.name;
}

const ALL = { show: LOOKED_THROUGH, more: () => undefined };

/**
 * Load the name of one record that no search offers. Sends no request if `id` is null. `data` is
 * undefined if the name is unknown.
 */
export function useOptionName(catalog: OptionCatalog, id: number | null) {
  const mayRead = useSession()?.permissions.includes(CHOSEN[catalog].reads) ?? false;
  const one = useAnswer<"/api/customers/{entry_id}", Named>(
    `${listOf(catalog)}/{entry_id}`,
    id !== null && mayRead ? { path: { entry_id: id } } : null,
    { quiet: true },
  );
  const all = useList<"/api/customers", Option>(
    listOf(catalog),
    id !== null && !mayRead ? { query: { fields: "options" } } : null,
    ALL,
    { quiet: true },
  );
  const { data } = one;
  return {
    data: data === undefined ? all.rows?.find((option) => option.id === id)?.name : nameOf(data),
    isLoading: one.isLoading || all.isLoading,
  };
}

interface Choice {
  id: number;
  key: string;
  name: string;
  active: boolean;
}

/** Load a short list in the user's language, sorted by name, with inactive rows, so that those chosen have a name. */
export function useShortList(list: ShortListName) {
  const language = useLanguage();
  const { data, isLoading } = useAnswer(
    RESOURCES[list],
    {},
    // Events report changes. With revalidation, a table with this list in each row would load it for each row.
    { quiet: true, revalidateIfStale: false },
  );
  const rows = useMemo(
    () =>
      (data ?? [])
        .filter((row): row is ShortListRow => "key" in row)
        .map(({ id, key, nameSpanish, nameEnglish, active }): Choice => {
          const name = language === "es" ? nameSpanish : nameEnglish;
          return { id, key, name, active };
        })
        .toSorted((one, other) => one.name.localeCompare(other.name, language)),
    [data, language],
  );
  return { rows, isLoading };
}
