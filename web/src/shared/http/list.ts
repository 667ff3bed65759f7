/** Keyset lists: `limit`, `cursor`, `X-Total-Count` (`-Exact`) and `Link`. Contract, section 1. */
import { asQuietAsNow } from "./activity";
import type { Loaded } from "./client";

export interface List<T> {
  rows: T[];
  /** How many there are on the server. */
  total: number;
  /** False where there are more than `total`: the server counts no further. */
  exact: boolean;
  hasMore: boolean;
}

export interface PageQuery {
  limit: number;
  cursor?: string;
}

const LARGEST_PAGE = 200;

/** The first `wanted` rows, in as many pages as the server's limit asks for. */
export async function loadRows<T>(
  wanted: number,
  loadPage: (query: PageQuery) => Promise<Loaded<T[]>>,
): Promise<List<T>> {
  const rows: T[] = [];
  let cursor: string | null = null;
  let total = 0;
  let exact = true;
  const alike = asQuietAsNow();
  do {
    const query: PageQuery = { limit: Math.min(LARGEST_PAGE, wanted - rows.length) };
    const asked: PageQuery = cursor === null ? query : { ...query, cursor };
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const page: Loaded<T[]> = await alike(() => loadPage(asked));
    rows.push(...page.data);
    cursor = nextCursor(page.headers.get("Link"));
    total = Number(page.headers.get("X-Total-Count") ?? rows.length);
    exact = page.headers.get("X-Total-Count-Exact") !== "false";
  } while (cursor !== null && rows.length < wanted);
  return { rows, total, exact, hasMore: cursor !== null };
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
