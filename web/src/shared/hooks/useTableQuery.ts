/** The state of a list in the address: search, filters, order and number of rows. */
import { useCallback, useMemo } from "react";
import { useAddress } from "./useAddress";

export const PAGE_SIZE = 25;

export interface TableQuery<F extends string = string> {
  search: string;
  /** `field` or `-field`; "" for the server's default order. */
  ordering: string;
  show: number;
  filters: Partial<Record<F, string>>;
  /** The query parameters for the server: all but `show`. */
  server: Record<string, string>;
  /** Changes some parameters and resets `show` to one page. An empty text removes a parameter. */
  set: (change: Partial<Record<F | "search" | "ordering", string>>) => void;
  more: () => void;
  /** Removes the search, the filters and `show`. */
  clear: () => void;
  isFiltered: boolean;
}

export function useTableQuery<F extends string = never>(
  filterNames: readonly F[] = [],
): TableQuery<F> {
  const [params, change] = useAddress();
  // Callers pass a new array with each render; the joined text stays equal.
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
