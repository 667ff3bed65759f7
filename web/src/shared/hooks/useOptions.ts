/** What a select box offers from a catalog: `{id, name}`, which anyone signed in may read. Contract, section 2. */
import useSWR from "swr";
import type { Option, Permission } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, callWithHeaders, QUIET } from "@/shared/http/client";
import { loadRows } from "@/shared/http/list";
import { keys } from "@/shared/keys";
import { useSession } from "@/shared/session/session";

const PATHS = {
  companies: "/api/companies",
  components: "/api/components",
  customers: "/api/customers",
  "export-tax-items": "/api/export-tax-items",
  items: "/api/items",
  materials: "/api/materials",
  "production-processes": "/api/production-processes",
  roles: "/identity/roles",
  users: "/identity/users",
} as const;

export type OptionCatalog = keyof typeof PATHS;

/** Those whose rows can be inactive: only active ones are offered. */
const WITH_STATUS: ReadonlySet<OptionCatalog> = new Set([
  "companies",
  "components",
  "customers",
  "items",
  "materials",
  "production-processes",
]);

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
    ...(WITH_STATUS.has(catalog) && !inactive ? { status: true } : {}),
    ...(search === "" ? {} : { search }),
  } as const;
  return useSWR<Option[], ApiError>(
    keys.list(catalog, query),
    async () => {
      const whole = await call(
        api.GET(PATHS[catalog] as "/api/customers", { params: { query }, headers: QUIET }),
      );
      return whole as Option[]; // `fields=options` answers nothing more.
    },
    { keepPreviousData: true },
  );
}

/** Who may read one whole record of a catalog; choices may be read by any of the staff. */
const READERS: Record<OptionCatalog, Permission> = {
  companies: "ListCompanies",
  components: "ListComponents",
  customers: "ListCustomers",
  "export-tax-items": "ListExportTax",
  items: "ListItems",
  materials: "ListMaterials",
  "production-processes": "ListProductionProcesses",
  roles: "ListRoles",
  users: "ListUsers",
};

/** How many choices are looked through for a name, by whoever may not read the record. */
const LOOKED_THROUGH = 1_000;

/** What a record is called in a select box: each catalog has one of these. */
type Named = { fullName: string } | { code: string } | { name: string };

function nameOf(record: Named): string {
  if ("fullName" in record) return record.fullName;
  return "code" in record ? record.code : record.name;
}

/** The name of one record, for a choice that no search offers; null asks for none. Undefined while or where unknown. */
export function useOptionName(catalog: OptionCatalog, id: number | null) {
  const mayRead = useSession()?.permissions.includes(READERS[catalog]) ?? false;
  const query = { fields: "options", id: id ?? 0 } as const;
  return useSWR<string | undefined, ApiError>(id === null ? null : keys.list(catalog, query), () =>
    mayRead ? nameOfRecord(catalog, id as number) : nameAmongOptions(catalog, id as number),
  );
}

async function nameOfRecord(catalog: OptionCatalog, id: number): Promise<string> {
  const one = `${PATHS[catalog]}/{entry_id}` as "/api/customers/{entry_id}";
  const params = { path: { entry_id: id } };
  return nameOf((await call(api.GET(one, { params, headers: QUIET }))) as Named);
}

async function nameAmongOptions(catalog: OptionCatalog, id: number): Promise<string | undefined> {
  const { rows } = await loadRows(LOOKED_THROUGH, (page) => {
    const query = { fields: "options", ...page } as const;
    return callWithHeaders(
      api.GET(PATHS[catalog] as "/api/customers", { params: { query }, headers: QUIET }),
    );
  });
  return (rows as Option[]).find((option) => option.id === id)?.name;
}
