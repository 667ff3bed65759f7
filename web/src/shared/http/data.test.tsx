import { act, cleanup, render, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig, useSWRConfig } from "swr";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aSummary } from "@/testing/lines";
import { useLoading } from "./activity";
import { api, call } from "./client";
import {
  loadRows,
  nextCursor,
  quietRefresh,
  useAnswer,
  useAnswers,
  useList,
  type PageQuery,
} from "./data";
import { ORDERS, STATION } from "./keys";

function Data({ children }: { children: ReactNode }) {
  const value = {
    provider: () => new Map(),
    use: [quietRefresh],
    dedupingInterval: 0,
    shouldRetryOnError: false,
  };
  return <SWRConfig value={value}>{children}</SWRConfig>;
}

function answerOf(rows: object[], status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(rows), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

const JSON_ANSWER = { headers: { "Content-Type": "application/json" } };

const nextPage = (cursor: string | number) => ({
  Link: `</api/sales-order?cursor=${cursor}&limit=1>; rel="next"`,
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("rows of a list", () => {
  function served(count: number) {
    const asked: PageQuery[] = [];
    const load = async (query: PageQuery) => {
      asked.push(query);
      const from = Number(query.cursor ?? 0);
      const to = Math.min(count, from + query.limit);
      const headers = new Headers({ "X-Total-Count": String(count) });
      if (to < count) headers.set("Link", nextPage(to).Link);
      const data = Array.from({ length: to - from }, (_, index) => ({ id: from + index }));
      return { data, headers };
    };
    return { asked, load };
  }

  it("load in one page, with the cursor of the next", async () => {
    const { asked, load } = served(60);
    const list = await loadRows(25, load);
    expect(asked).toEqual([{ limit: 25 }]);
    expect(list).toMatchObject({ total: 60, next: "25" });
    expect(list.rows).toHaveLength(25);
  });

  it("have an inexact total if the server stops counting", async () => {
    const headers = new Headers({ "X-Total-Count": "100000", "X-Total-Count-Exact": "false" });
    const list = await loadRows(1, () => Promise.resolve({ data: [{ id: 1 }], headers }));
    expect(list).toMatchObject({ total: 100_000, exact: false });
    expect((await loadRows(25, served(60).load)).exact).toBe(true);
  });

  it("load in several pages beyond the server's limit", async () => {
    const { asked, load } = served(260);
    const list = await loadRows(275, load);
    expect(asked).toEqual([{ limit: 200 }, { limit: 75, cursor: "200" }]);
    expect(list.rows.map(({ id }) => id)).toEqual(Array.from({ length: 260 }, (_, id) => id));
    expect(list.next).toBeNull();
  });

  it("appear once, at the place of the later page that repeats them", async () => {
    const held = { rows: [{ id: 1 }, { id: 2 }], total: 3, exact: true, next: "2" };
    const headers = new Headers();
    const more = () => Promise.resolve({ data: [{ id: 1 }, { id: 3 }], headers });
    expect((await loadRows(4, more, held)).rows).toEqual([{ id: 2 }, { id: 1 }, { id: 3 }]);
  });

  it("continue at the cursor of the `next` link", () => {
    expect(nextCursor('</a?cursor=x>; rel="prev", </a?limit=2&cursor=y%3D>; rel="next"')).toBe(
      "y=",
    );
    expect(nextCursor(null)).toBeNull();
  });
});

describe("a list on screen", () => {
  const asked: string[] = [];
  let away: boolean;
  beforeEach(() => {
    asked.length = 0;
    away = false;
    vi.stubGlobal("fetch", async ({ url }: Request) => {
      const { searchParams } = new URL(url);
      asked.push(searchParams.toString());
      if (away) return answerOf([], 503);
      const from = Number(searchParams.get("cursor") ?? 0);
      const to = Math.min(60, from + Number(searchParams.get("limit")));
      const rows = Array.from({ length: to - from }, (_, index) => aSummary({ id: from + index }));
      return answerOf(rows, 200, to < 60 ? nextPage(to) : {});
    });
  });

  async function aList(first = 25) {
    const { result, rerender } = renderHook(
      ({ show }) => ({
        list: useList(ORDERS, { query: { search: "a" } }, { show, more: () => undefined }),
        mutate: useSWRConfig().mutate,
      }),
      { wrapper: Data, initialProps: { show: first } },
    );
    const scroll = (show: number) => act(async () => rerender({ show }));
    await scroll(first);
    return { result, scroll };
  }
  const ids = (list: { rows: { id: number }[] | undefined }) => list.rows?.map(({ id }) => id);
  const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);

  it("requests each page once while the user scrolls", async () => {
    const { result, scroll } = await aList();
    await scroll(50);
    await scroll(75);
    expect(asked).toEqual([
      "search=a&limit=25",
      "search=a&limit=25&cursor=25",
      "search=a&limit=25&cursor=50",
    ]);
    expect(ids(result.current.list)).toEqual(upTo(60));
    expect(result.current.list.more).toBeUndefined();
  });

  it("reloads all its rows in one request", async () => {
    const { result, scroll } = await aList();
    await scroll(50);
    asked.length = 0;
    await act(() => result.current.mutate(() => true));
    expect(asked).toEqual(["search=a&limit=50"]);
  });

  it("opens with as many rows as the address says, and continues from there", async () => {
    const { result, scroll } = await aList(50);
    await scroll(75);
    expect(asked).toEqual(["search=a&limit=50", "search=a&limit=25&cursor=50"]);
    await scroll(25);
    expect(ids(result.current.list)).toEqual(upTo(25));
    expect(result.current.list.more).toBeDefined();
  });

  it("keeps its rows if the next page fails, and requests that page once", async () => {
    const { result, scroll } = await aList();
    away = true;
    await scroll(50);
    await scroll(50);
    expect(asked).toHaveLength(2);
    expect(ids(result.current.list)).toEqual(upTo(25));
    away = false;
    await scroll(75);
    expect(ids(result.current.list)).toEqual(upTo(60));
  });
});

it("shows an answer that was under way when a newer one was put", async () => {
  const asked = { path: { process_id: 2 } };
  const answers: ((answer: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => answers.push(resolve)));
  const { result } = renderHook(() => ({ ...useAnswer(STATION, asked), ...useAnswers() }), {
    wrapper: Data,
  });
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  await act(() => result.current.put(STATION, asked, (held) => held));
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  const station = { process: { productionProcessId: 2 } };
  await act(async () => {
    for (const answer of answers) answer(new Response(JSON.stringify(station), JSON_ANSWER));
  });
  await vi.waitFor(() => expect(result.current.data).toEqual(station));
});

describe("the spinner", () => {
  let answer: (status?: number, headers?: Record<string, string>) => Promise<void>;
  beforeEach(() => {
    vi.stubGlobal(
      "fetch",
      () =>
        new Promise((resolve) => {
          answer = (status = 200, headers = {}) =>
            act(async () => resolve(answerOf([], status, headers)));
        }),
    );
  });

  function Orders({ show }: { show: number }) {
    useList(ORDERS, {}, { show, more: () => undefined });
    return null;
  }
  function Page({ children }: { children: ReactNode }) {
    const { mutate } = useSWRConfig();
    return (
      <>
        {children}
        <button type="button" onClick={() => void mutate(() => true)}>
          {useLoading() ? "spinner" : "calm"}
        </button>
      </>
    );
  }
  const page = (show: number) => (
    <Data>
      <Page>
        <Orders show={show} />
      </Page>
    </Data>
  );
  const open = (show = 25) => act(async () => render(page(show)));
  const reload = () => act(async () => screen.getByRole("button").click());
  const spinner = () => screen.queryByText("spinner") !== null;

  it("shows for the first load of a page, not for a refresh", async () => {
    await open();
    expect(spinner()).toBe(true);
    await answer();
    expect(spinner()).toBe(false);
    await reload();
    expect(spinner()).toBe(false);
    await answer();
  });

  it("shows for the next page of a list", async () => {
    const { rerender } = await open();
    await answer(200, nextPage("abc"));
    await act(async () => rerender(page(50)));
    expect(spinner()).toBe(true);
    await answer();
    expect(spinner()).toBe(false);
  });

  it("does not show for any page of a refreshed list", async () => {
    await open(400);
    await answer(200, nextPage("abc"));
    expect(spinner()).toBe(true);
    await answer();
    expect(spinner()).toBe(false);
    await reload();
    await answer(200, nextPage("abc"));
    expect(spinner()).toBe(false);
    await answer();
  });

  it("does not show for a retry after a failure", async () => {
    await open();
    await answer(500);
    await reload();
    expect(spinner()).toBe(false);
    await answer();
  });

  it("shows for a write made during a refresh, but not for a read-mark", async () => {
    await open();
    await answer();
    await reload();
    const refreshed = answer;
    const mark = { params: { path: { notification_id: 1 } } };
    await act(async () => void call(api.POST("/api/notifications/{notification_id}/read", mark)));
    expect(spinner()).toBe(false);
    await answer();
    await act(async () => void call(api.POST("/api/live/ticket")));
    expect(spinner()).toBe(true);
    await answer();
    expect(spinner()).toBe(false);
    await refreshed();
  });
});

describe("a question that is refused after another one", () => {
  const refused = { code: "invalid_fields", message: "Hay campos con errores", params: {} };
  const errors = [{ field: "from", code: "date_out_of_range", message: "Fuera de rango" }];

  beforeEach(() => {
    vi.stubGlobal("fetch", async ({ url }: Request) =>
      url.includes("2926")
        ? answerOf({ ...refused, errors } as never, 422)
        : answerOf([aSummary({ id: 1 })], 200, { "X-Total-Count": "1" }),
    );
  });

  it("shows its error instead of the rows of the list before", async () => {
    const { result, rerender } = renderHook(
      ({ from }) => useList(ORDERS, { query: { from } }, { show: 25, more: () => undefined }),
      { wrapper: Data, initialProps: { from: "2026-11-10" } },
    );
    await vi.waitFor(() => expect(result.current.rows).toHaveLength(1));
    rerender({ from: "2926-11-10" });
    await vi.waitFor(() => expect(result.current.error?.errors).toEqual(errors));
    expect([result.current.rows, result.current.total]).toEqual([undefined, 0]);
    rerender({ from: "2026-11-10" });
    await vi.waitFor(() => expect(result.current.rows).toHaveLength(1));
    expect(result.current.error).toBeUndefined();
  });

  it("shows its error instead of the answer before", async () => {
    const { result, rerender } = renderHook(
      ({ from }) => useAnswer(ORDERS, { query: { from } }, { keepPreviousData: true }),
      { wrapper: Data, initialProps: { from: "2026-11-10" } },
    );
    await vi.waitFor(() => expect(result.current.data).toHaveLength(1));
    rerender({ from: "2926-11-10" });
    await vi.waitFor(() => expect(result.current.error?.status).toBe(422));
    expect(result.current.data).toBeUndefined();
  });
});
