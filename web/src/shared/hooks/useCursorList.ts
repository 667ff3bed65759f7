/** A keyset list as the tables draw it; asking for more keeps the rows that are there. */
import useSWR from "swr";
import type { ApiError } from "@/shared/http/ApiError";
import type { Loaded } from "@/shared/http/client";
import { loadRows, type List, type PageQuery } from "@/shared/http/list";
import type { Key } from "@/shared/keys";
import type { TableQuery } from "./useTableQuery";

export interface CursorList<T> {
  /** undefined until the first answer. */
  rows: T[] | undefined;
  total: number;
  exact: boolean;
  error: ApiError | undefined;
  isLoading: boolean;
  /** Shows the next rows; undefined when all are shown. */
  more: (() => void) | undefined;
  retry: () => void;
  /** All that match, up to `most`: not for the screen, but for what is done with them. Rejects with ApiError. */
  loadUpTo: (most: number) => Promise<List<T>>;
}

export function useCursorList<T>(
  key: Key,
  query: Pick<TableQuery, "show" | "more">,
  loadPage: (page: PageQuery) => Promise<Loaded<T[]>>,
): CursorList<T> {
  const { data, error, isLoading, mutate } = useSWR<List<T>, ApiError>(
    [...key, query.show],
    () => loadRows(query.show, loadPage),
    { keepPreviousData: true },
  );
  return {
    rows: data?.rows,
    total: data?.total ?? 0,
    exact: data?.exact ?? true,
    error: data === undefined ? error : undefined,
    isLoading,
    more: data?.hasMore === true ? query.more : undefined,
    retry: () => void mutate(),
    loadUpTo: (most) => loadRows(most, loadPage),
  };
}
