/** Hooks that load the API's answers. SWR caches them; events and writes replace them with newer ones. */
import { useEffect, useMemo, useRef } from "react";
import useSWR, {
  unstable_serialize,
  useSWRConfig,
  type Cache,
  type Middleware,
  type SWRConfiguration,
} from "swr";
import type { ApiError } from "./ApiError";
import { aloud, asQuietAsNow, quietly } from "./activity";
import { callWithHeaders, QUIET, requestAt, type Loaded } from "./client";
import {
  isKey,
  keyOf,
  listKeyOf,
  type Answer,
  type Asked,
  type Covers,
  type Key,
  type Path,
} from "./keys";
import { givenAtStart } from "./start";
import { useView } from "./store";

interface Options extends SWRConfiguration {
  /** Show no spinner for the first load either. */
  quiet?: boolean;
}

/** Throws ApiError. */
export function loadWithHeaders<P extends Path, A = Answer<P>>(
  path: P,
  asked: Asked<P>,
  quiet = false,
): Promise<Loaded<A>> {
  const init = { params: asked, ...(quiet ? { headers: QUIET } : {}) };
  return callWithHeaders(requestAt<A>("get", path, init));
}

/** Throws ApiError. */
export async function load<P extends Path>(path: P, asked: Asked<P> = {}): Promise<Answer<P>> {
  return (await loadWithHeaders(path, asked)).data;
}

/**
 * Load one answer; nothing while `asked` is null. `A`: the type of the answer, if the path has
 * several.
 */
export function useAnswer<P extends Path, A = Answer<P>>(
  path: P,
  asked: Asked<P> | null = {},
  { quiet = false, ...config }: Options = {},
) {
  const { cache } = useSWRConfig();
  const key = asked && keyOf(path, asked);
  const answer = useSWR<A, ApiError>(
    key,
    async () =>
      ((await givenAtStart(path, asked?.query)) as A | undefined) ??
      (await loadWithHeaders<P, A>(path, asked ?? {}, quiet)).data,
    config,
  );
  const isRefused = answer.error !== undefined && !isKept(cache, key);
  const data = useView(isRefused ? undefined : answer.data);
  // Getters, because SWR renders again only for the fields that are read.
  return {
    data,
    mutate: answer.mutate,
    get error() {
      return answer.error;
    },
    get isLoading() {
      return answer.isLoading;
    },
    get isValidating() {
      return answer.isValidating;
    },
  };
}

/** Whether there is an answer to this very question. If not, SWR may still show the answer to the one before. */
const isKept = (cache: Cache, key: Key | null): boolean =>
  cache.get(unstable_serialize(key))?.data !== undefined;

/** The rows of a list that are loaded so far. */
export interface List<T> {
  rows: T[];
  /** The number of rows on the server. */
  total: number;
  /** False if there are more than `total`, because the server stopped counting. */
  exact: boolean;
  /** The cursor of the next page; null at the end. */
  next: string | null;
}

export interface PageQuery {
  limit: number;
  cursor?: string;
}

type LoadPage<T> = (page: PageQuery) => Promise<Loaded<T[]>>;

const LARGEST_PAGE = 200;

/** Load the first `wanted` rows in pages of at most 200; rows of `held` are not requested again. */
export async function loadRows<T extends object>(
  wanted: number,
  loadPage: LoadPage<T>,
  held?: List<T>,
): Promise<List<T>> {
  let { rows, total, exact, next }: List<T> = held ?? {
    rows: [],
    total: 0,
    exact: true,
    next: null,
  };
  const alike = asQuietAsNow();
  do {
    const limit = Math.min(LARGEST_PAGE, wanted - rows.length);
    const asked: PageQuery = next === null ? { limit } : { limit, cursor: next };
    const { data, headers }: Loaded<T[]> = await alike(() => loadPage(asked));
    rows = joined(rows, data);
    next = nextCursor(headers.get("Link"));
    total = Number(headers.get("X-Total-Count") ?? rows.length);
    exact = headers.get("X-Total-Count-Exact") !== "false";
  } while (next !== null && rows.length < wanted);
  return { rows, total, exact, next };
}

/** Append a page. A row that has moved down the list since it was loaded appears only at its new place. */
function joined<T extends object>(rows: T[], more: T[]): T[] {
  const names = new Set(more.map(nameOf));
  return [...rows.filter((row) => !names.has(nameOf(row))), ...more];
}

function nameOf(row: {
  id?: unknown;
  salesOrderId?: unknown;
  position?: unknown;
  number?: unknown;
}) {
  return row.id === undefined
    ? [row.salesOrderId, row.position, row.number].join("/")
    : String(row.id);
}

/** The cursor in `<…?cursor=abc>; rel="next"`, or null at the end. */
export function nextCursor(link: string | null): string | null {
  for (const part of link?.split(",") ?? []) {
    const match = /<([^>]+)>\s*;.*rel="?next"?/.exec(part);
    if (match?.[1] !== undefined) {
      return new URL(match[1], window.location.origin).searchParams.get("cursor");
    }
  }
  return null;
}

/** A cursor-paged list, as tables draw it. */
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
  /** Loads all rows that match, up to `most`, without showing them. Rejects with ApiError. */
  loadUpTo: (most: number) => Promise<List<T>>;
}

/** The number of rows shown, and a function that shows more. */
export interface Shown {
  show: number;
  more: () => void;
}

/** The row type of an answer that is an array. */
export type RowOf<A> = A extends readonly (infer R extends object)[] ? R : never;

interface ListOptions<A, T> {
  quiet?: boolean;
  /** Extracts the rows if the answer is not an array of them. */
  rowsOf?: (answer: A) => T[];
}

/** Load the first `show` rows; nothing while `asked` is null. A larger `show` loads only the rows that follow. */
export function useList<P extends Path, T extends object = RowOf<Answer<P>>>(
  path: P,
  asked: Asked<P> | null,
  { show, more }: Shown,
  { quiet = false, rowsOf }: ListOptions<Answer<P>, T> = {},
): CursorList<T> {
  const { cache } = useSWRConfig();
  const key = asked && listKeyOf(path, asked);
  const loadPage: LoadPage<T> = async (page) => {
    const query = { ...asked?.query, ...page } as NonNullable<Asked<P>["query"]>;
    if (rowsOf === undefined) return loadWithHeaders<P, T[]>(path, { ...asked, query }, quiet);
    const { data, headers } = await loadWithHeaders(path, { ...asked, query }, quiet);
    return { data: rowsOf(data), headers };
  };
  /**
   * Whether the next load is for the following rows. The user waits for these, so they show the
   * spinner.
   */
  const loadsFollowing = useRef(false);
  const answer = useSWR<List<T>, ApiError>(
    key,
    () => {
      if (!loadsFollowing.current) return loadRows(show, loadPage);
      loadsFollowing.current = false;
      const held = cache.get(unstable_serialize(key))?.data as List<T> | undefined;
      return aloud(() => loadRows(show, loadPage, held));
    },
    { keepPreviousData: true },
  );
  const { error, isLoading, isValidating, mutate } = answer;
  const data = error !== undefined && !isKept(cache, key) ? undefined : answer.data;

  const missing = data !== undefined && data.next !== null && data.rows.length < show;
  const following = missing ? `${show} ${data.next}` : null;
  const lastAsked = useRef<string>(null);
  useEffect(() => {
    // While a load is under way, its answer decides which rows are missing. A failed page is requested only once.
    if (following === null || isValidating || lastAsked.current === following) return;
    lastAsked.current = following;
    loadsFollowing.current = true;
    void mutate();
  }, [following, isValidating, mutate]);

  const rows = useView(data?.rows);
  return {
    rows: useMemo(
      () => (rows !== undefined && rows.length > show ? rows.slice(0, show) : rows),
      [rows, show],
    ),
    total: data?.total ?? 0,
    exact: data?.exact ?? true,
    error: data === undefined ? error : undefined,
    isLoading,
    more: data !== undefined && (data.next !== null || data.rows.length > show) ? more : undefined,
    retry: () => void mutate(),
    loadUpTo: (most) => loadRows(most, loadPage),
  };
}

type AfterWrite = (covers: Covers) => void;

/** Set while there is a live client: loads what an own write changed. */
let liveAfterWrite: AfterWrite | null = null;

/** Leave it to `follow` to load the answers that own writes changed. Returns a function that ends this. */
export function followWrites(follow: AfterWrite): () => void {
  liveAfterWrite = follow;
  return () => {
    if (liveAfterWrite === follow) liveAfterWrite = null;
  };
}

/** Functions that replace cached answers or load them again. */
export function useAnswers() {
  const { cache, mutate } = useSWRConfig();
  return useMemo(
    () => ({
      /** Replaces a cached answer. `change` gets the cached one, undefined if there is none. */
      put: <P extends Path>(
        path: P,
        asked: Asked<P>,
        change: (held: Answer<P> | undefined) => Answer<P> | undefined,
      ) => {
        const key = keyOf(path, asked);
        // A mutation makes SWR drop the answer under way, so load it again.
        const revalidate = cache.get(unstable_serialize(key))?.isValidating === true;
        return mutate<Answer<P>>(key, change, { revalidate });
      },
      /**
       * Shows `change` of a cached answer while `work` is under way, and keeps it once it is done. If `work` rejects,
       * the answer is shown as it was. A change by an event in the meantime is shown instead.
       */
      foresee: async <P extends Path, R>(
        path: P,
        asked: Asked<P>,
        change: (held: Answer<P>) => Answer<P>,
        work: () => Promise<R>,
      ): Promise<R> => {
        const answer = work();
        await mutate<Answer<P>, R>(keyOf(path, asked), answer, {
          optimisticData: (held) => (held === undefined ? held : change(held)) as Answer<P>,
          populateCache: false,
          revalidate: false,
          rollbackOnError: true,
        });
        return answer;
      },
      reload: (covers: Covers) => mutate((key) => isKey(key) && covers(key)),
      /**
       * Load the answers that an own write has just changed. If a live event makes them stale too,
       * they are loaded once for both.
       */
      afterWrite: (covers: Covers) => {
        if (liveAfterWrite === null) void mutate((key) => isKey(key) && covers(key));
        else liveAfterWrite(covers);
      },
    }),
    [cache, mutate],
  );
}

/**
 * SWR middleware: only the first load of a key shows the spinner; reloads by events and polls, and
 * retries after a failure, do not.
 */
export const quietRefresh: Middleware = (useSWRNext) => (key, fetcher, config) => {
  const { cache } = useSWRConfig();
  const quiet = ((...args: Parameters<NonNullable<typeof fetcher>>) => {
    const held = cache.get(unstable_serialize(key));
    const first = held?.data === undefined && held?.error === undefined;
    return first ? fetcher?.(...args) : quietly(() => fetcher?.(...args));
  }) as typeof fetcher;
  return useSWRNext(key, fetcher === null ? null : quiet, config);
};
