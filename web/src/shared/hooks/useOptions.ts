/** What forms choose from: options of a catalog, which anyone signed in may read, and short lists. */
import { useMemo } from "react";
import { CATALOGS, type Option, type ShortListRow } from "@/contract";
import type words from "@/locales/es/forms.json";
import { useAnswer, useList } from "@/shared/http/data";
import { RESOURCES, type CatalogName, type ShortListName } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { useSession } from "@/shared/session/session";

/** What is chosen from: each says in `forms` that nothing matches. */
export type OptionCatalog = Extract<
  CatalogName | "roles" | "users",
  keyof (typeof words)["nothing"]
>;

/** All of them answer the same options, so one lends its type. */
const listOf = (catalog: OptionCatalog) => RESOURCES[catalog] as "/api/customers";

/** What is said of the records that are chosen from: their readers, and whether some can be inactive. */
const CHOSEN = {
  ...CATALOGS,
  roles: { reads: "ListRoles", flag: null },
  users: { reads: "ListUsers", flag: null },
} as const;

/** How many choices a search offers at once. */
const OFFERED = 30;

export interface OptionsWanted {
  search?: string;
  /** At most 200. */
  limit?: number;
  /** Inactive ones too: what was chosen once keeps its name. */
  inactive?: boolean;
}

/** Choices whose name holds `search`; the last answer stays while the next is awaited. */
export function useOptions(catalog: OptionCatalog, wanted: OptionsWanted = {}) {
  const { search = "", limit = OFFERED, inactive = false } = wanted;
  const query = {
    fields: "options",
    limit,
    ...(CHOSEN[catalog].flag === "status" && !inactive ? { status: true } : {}),
    // In the plant's order.
    ...(catalog === "production-processes" ? { ordering: "place" } : {}),
    ...(search === "" ? {} : { search }),
  } as const;
  // `fields=options` answers nothing more.
  return useAnswer<"/api/customers", Option[]>(
    listOf(catalog),
    { query },
    { quiet: true, keepPreviousData: true },
  );
}

/** How many choices are looked through for a name, by whoever may not read the record. */
const LOOKED_THROUGH = 1_000;

/** What a record is called in a select box: each catalog has one of these. */
type Named = { fullName: string } | { code: string } | { name: string };

function nameOf(record: Named): string {
  if ("fullName" in record) return record.fullName;
  return "code" in record ? record.code : record.name;
}

const ALL = { show: LOOKED_THROUGH, more: () => undefined };

/** The name of one record, for a choice that no search offers; null asks for none. Undefined while or where unknown. */
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

/** All rows of a short list, in the person's language, by name; inactive ones too: what was chosen once keeps its name. */
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
