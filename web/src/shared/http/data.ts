/** What the server answers, as hooks. SWR keeps it; events and writes put what is newer in its place. */
import { useEffect, useMemo, useRef } from "react";
import useSWR, {
  unstable_serialize,
  useSWRConfig,
  type Middleware,
  type SWRConfiguration,
} from "swr";
import type { ApiError } from "./ApiError";
import { aloud, asQuietAsNow, quietly } from "./activity";
import { api, callWithHeaders, QUIET, type Loaded } from "./client";
import {
  keyOf,
  listKeyOf,
  type Answer,
  type Asked,
  type Covers,
  type Key,
  type Path,
} from "./keys";
import { useView } from "./store";

interface Options extends SWRConfiguration {
  /** The first load, too, is nobody's wait. */
  quiet?: boolean;
}

/** Throws ApiError. */
export function loadWithHeaders<P extends Path>(
  path: P,
  asked: Asked<P>,
  quiet = false,
): Promise<Loaded<Answer<P>>> {
  const init = { params: asked, ...(quiet ? { headers: QUIET } : {}) };
  // The client types a call by a path written out; this one stands in a variable, and `asked` is typed by it.
  const request = api.GET(path as never, init as never) as Parameters<
    typeof callWithHeaders<Answer<P>>
  >[0];
  return callWithHeaders(request);
}

/** Throws ApiError. */
export async function load<P extends Path>(path: P, asked: Asked<P> = {}): Promise<Answer<P>> {
  return (await loadWithHeaders(path, asked)).data;
}

/** One answer, whole. Nothing is asked while `asked` is null. `A` says which of several answers the path gives here. */
export function useAnswer<P extends Path, A = Answer<P>>(
  path: P,
  asked: Asked<P> | null = {},
  { quiet = false, ...config }: Options = {},
) {
  const answer = useSWR<A, ApiError>(
    asked && keyOf(path, asked),
    async () => (await loadWithHeaders(path, asked ?? {}, quiet)).data as A,
    config,
  );
  const data = useView(answer.data);
  // SWR draws again only for what is read of its answer.
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

/** The rows of a list that are loaded so far. */
export interface List<T> {
  rows: T[];
  /** How many there are on the server. */
  total: number;
  /** False where there are more than `total`: the server counts no further. */
  exact: boolean;
  /** The cursor of the rows that follow; null at the end. */
  next: string | null;
}

export interface PageQuery {
  limit: number;
  cursor?: string;
}

type LoadPage<T> = (page: PageQuery) => Promise<Loaded<T[]>>;

const LARGEST_PAGE = 200;

/** The first `wanted` rows, in as many pages as the server's limit asks for; what `held` has of them is not asked for. */
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
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const { data, headers }: Loaded<T[]> = await alike(() => loadPage(asked));
    rows = joined(rows, data);
    next = nextCursor(headers.get("Link"));
    total = Number(headers.get("X-Total-Count") ?? rows.length);
    exact = headers.get("X-Total-Count-Exact") !== "false";
  } while (next !== null && rows.length < wanted);
  return { rows, total, exact, next };
}

/** A row that a change has moved down the list since it was loaded stands where it stands now. */
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

/** A keyset list as the tables draw it. */
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

/** How many rows are shown, and how to show more. */
export interface Shown {
  show: number;
  more: () => void;
}

/** A row of a list that is answered as an array. */
export type RowOf<A> = A extends readonly (infer R extends object)[] ? R : never;

interface ListOptions<A, T> {
  quiet?: boolean;
  /** Where the answer is not the rows themselves. */
  rowsOf?: (answer: A) => T[];
}

/** The first `show` rows. Asking for more loads the rows that follow, and keeps those that are there. Null asks for none. */
export function useList<P extends Path, T extends object = RowOf<Answer<P>>>(
  path: P,
  asked: Asked<P> | null,
  { show, more }: Shown,
  { quiet = false, rowsOf = (answer) => answer as unknown as T[] }: ListOptions<Answer<P>, T> = {},
): CursorList<T> {
  const { cache } = useSWRConfig();
  const key = asked && listKeyOf(path, asked);
  const loadPage: LoadPage<T> = async (page) => {
    const query = { ...asked?.query, ...page } as NonNullable<Asked<P>["query"]>;
    const { data, headers } = await loadWithHeaders(path, { ...asked, query }, quiet);
    return { data: rowsOf(data), headers };
  };
  /** The next load is for the rows that follow, and somebody waits for it. */
  const goesOn = useRef(false);
  const { data, error, isLoading, isValidating, mutate } = useSWR<List<T>, ApiError>(
    key,
    () => {
      if (!goesOn.current) return loadRows(show, loadPage);
      goesOn.current = false;
      const held = cache.get(unstable_serialize(key))?.data as List<T> | undefined;
      return aloud(() => loadRows(show, loadPage, held));
    },
    { keepPreviousData: true },
  );

  const missing = data !== undefined && data.next !== null && data.rows.length < show;
  const following = missing ? `${show} ${data.next}` : null;
  const lastAsked = useRef<string>(null);
  useEffect(() => {
    // While a load is under way, its answer decides what is missing. What failed is not asked for again and again.
    if (following === null || isValidating || lastAsked.current === following) return;
    lastAsked.current = following;
    goesOn.current = true;
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

/** Puts newer answers in the place of those that are kept, and has them loaded again. */
export function useAnswers() {
  const { cache, mutate } = useSWRConfig();
  return useMemo(
    () => ({
      /** `change` gets what is kept, if anything is. */
      put: <P extends Path>(
        path: P,
        asked: Asked<P>,
        change: (held: Answer<P> | undefined) => Answer<P> | undefined,
      ) => {
        const key = keyOf(path, asked);
        // SWR drops the answer of a load that is under way for a change: what was to come is asked for again.
        const revalidate = cache.get(unstable_serialize(key))?.isValidating === true;
        return mutate<Answer<P>>(key, change, { revalidate });
      },
      reload: (covers: Covers) => mutate((key) => isKey(key) && covers(key)),
    }),
    [cache, mutate],
  );
}

/** Of SWR's keys, those that are made here. */
export function isKey(key: unknown): key is Key {
  return Array.isArray(key) && typeof key[0] === "string" && typeof key[1] === "object";
}

/**
 * For all of SWR's hooks at once: the first load of a key shows the spinner; what follows, by events, polls and tries
 * after a failure, is nobody's wait.
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
