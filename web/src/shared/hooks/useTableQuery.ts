/** What a list shows, kept in the address: search, filters, order and how many rows. */
import { useCallback, useMemo } from "react";
import { useAddress } from "./useAddress";

export const PAGE_SIZE = 25;

export interface TableQuery<F extends string = string> {
  search: string;
  /** `field` or `-field`; "" is the server's own order. */
  ordering: string;
  /** How many rows are shown. */
  show: number;
  filters: Partial<Record<F, string>>;
  /** All but `show`, as the server takes it. */
  server: Record<string, string>;
  /** Changes some of it; everything but `show` starts the list afresh. An empty text removes it. */
  set: (change: Partial<Record<F | "search" | "ordering", string>>) => void;
  more: () => void;
  /** Back to the list without any search or filter. */
  clear: () => void;
  isFiltered: boolean;
}

export function useTableQuery<F extends string = never>(
  filterNames: readonly F[] = [],
): TableQuery<F> {
  const [params, change] = useAddress();
  // Callers write the names in place; the text stays the same while the array does not.
  const names = filterNames.join(" ");

  const set = useCallback<TableQuery<F>["set"]>(
    (changed) =>
      change((next) => {
        next.delete("show");
        for (const [name, value] of Object.entries<string | undefined>(changed)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
      }),
    [change],
  );

  return useMemo(() => {
    const search = params.get("search") ?? "";
    const ordering = params.get("ordering") ?? "";
    const show = Math.max(PAGE_SIZE, Math.trunc(Number(params.get("show"))) || 0);
    const filters: Partial<Record<F, string>> = {};
    for (const name of names.split(" ").filter(Boolean) as F[]) {
      const value = params.get(name);
      if (value) filters[name] = value;
    }
    const server: Record<string, string> = { ...(filters as Record<string, string>) };
    if (search) server["search"] = search;
    if (ordering) server["ordering"] = ordering;
    return {
      search,
      ordering,
      show,
      filters,
      server,
      set,
      more: () => change((next) => next.set("show", String(show + PAGE_SIZE))),
      clear: () =>
        change((next) => {
          for (const name of ["search", "show", ...names.split(" ")]) next.delete(name);
        }),
      isFiltered: search !== "" || Object.keys(filters).length > 0,
    };
  }, [params, names, set, change]);
}
