/** What a select box offers from a catalog: `{id, name}`, which anyone signed in may read. Contract, section 2. */
import useSWR from "swr";
import type { Option } from "@/contract";
import type { ApiError } from "@/shared/http/ApiError";
import { api, call, QUIET } from "@/shared/http/client";
import { keys } from "@/shared/keys";

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
