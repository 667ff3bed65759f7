import { expect, it } from "vitest";
import { loadRows, nextCursor, type PageQuery } from "./list";

function served(count: number) {
  const asked: PageQuery[] = [];
  const load = async (query: PageQuery) => {
    asked.push(query);
    const from = Number(query.cursor ?? 0);
    const to = Math.min(count, from + query.limit);
    const headers = new Headers({ "X-Total-Count": String(count) });
    if (to < count) headers.set("Link", `</api/sales-order?cursor=${to}&limit=1>; rel="next"`);
    return { data: Array.from({ length: to - from }, (_, index) => from + index), headers };
  };
  return { asked, load };
}

it("asks for one page and says that there is more", async () => {
  const { asked, load } = served(60);
  const list = await loadRows(25, load);
  expect(asked).toEqual([{ limit: 25 }]);
  expect(list).toMatchObject({ total: 60, hasMore: true });
  expect(list.rows).toHaveLength(25);
});

it("says where the server counts no further", async () => {
  const headers = new Headers({ "X-Total-Count": "100000", "X-Total-Count-Exact": "false" });
  const list = await loadRows(1, () => Promise.resolve({ data: [1], headers }));
  expect(list).toMatchObject({ total: 100_000, exact: false });
  expect((await loadRows(25, served(60).load)).exact).toBe(true);
});

it("goes from page to page beyond the server's largest one", async () => {
  const { asked, load } = served(260);
  const list = await loadRows(275, load);
  expect(asked).toEqual([{ limit: 200 }, { limit: 75, cursor: "200" }]);
  expect(list.rows).toEqual(Array.from({ length: 260 }, (_, index) => index));
  expect(list.hasMore).toBe(false);
});

it("finds the next cursor among several links", () => {
  expect(nextCursor('</a?cursor=x>; rel="prev", </a?limit=2&cursor=y%3D>; rel="next"')).toBe("y=");
  expect(nextCursor(null)).toBeNull();
});
