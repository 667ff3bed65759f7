import { act, cleanup, render, screen } from "@testing-library/react";
import useSWR, { SWRConfig, useSWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useLoading } from "./activity";
import { api, call, callWithHeaders } from "./client";
import { loadRows } from "./list";
import { quietRefresh } from "./quietRefresh";

let answer: (status?: number, headers?: Record<string, string>) => Promise<void>;

beforeEach(() => {
  vi.stubGlobal(
    "fetch",
    () =>
      new Promise((resolve) => {
        answer = (status = 200, headers = {}) =>
          act(async () => {
            resolve(
              new Response("[]", {
                status,
                headers: { "Content-Type": "application/json", ...headers },
              }),
            );
          });
      }),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const load = () => call(api.GET("/api/sales-order"));
/** More rows than one call brings. */
const loadMany = () => loadRows(400, () => callWithHeaders(api.GET("/api/sales-order")));

function Page({ fetcher }: { fetcher: () => Promise<unknown> }) {
  const { mutate } = useSWRConfig();
  useSWR("orders", fetcher);
  return (
    <button type="button" onClick={() => void mutate(() => true)}>
      {useLoading() ? "spinner" : "calm"}
    </button>
  );
}

const show = (fetcher: () => Promise<unknown> = load) =>
  act(async () => {
    render(
      <SWRConfig
        value={{
          provider: () => new Map(),
          use: [quietRefresh],
          dedupingInterval: 0,
          shouldRetryOnError: false,
        }}
      >
        <Page fetcher={fetcher} />
      </SWRConfig>,
    );
  });
const reload = () => act(async () => screen.getByRole("button").click());
const spinner = () => screen.queryByText("spinner") !== null;

it("the first load of a page shows the spinner, a refresh does not", async () => {
  await show();
  expect(spinner()).toBe(true);
  await answer();
  expect(spinner()).toBe(false);
  await reload();
  expect(spinner()).toBe(false);
  await answer();
});

it("the later pages of a refreshed list are as quiet as its first", async () => {
  await show(loadMany);
  const more = { Link: '</api/sales-order?cursor=abc>; rel="next"' };
  await answer(200, more);
  expect(spinner()).toBe(true);
  await answer();
  expect(spinner()).toBe(false);
  await reload();
  await answer(200, more);
  expect(spinner()).toBe(false);
  await answer();
});

it("a load that is tried again after a failure is quiet", async () => {
  await show();
  await answer(500);
  await reload();
  expect(spinner()).toBe(false);
  await answer();
});

it("a write made during a refresh shows the spinner", async () => {
  await show();
  await answer();
  await reload();
  const refreshed = answer;
  await act(
    async () =>
      void call(
        api.POST("/api/notifications/{notification_id}/read", {
          params: { path: { notification_id: 1 } },
        }),
      ),
  );
  expect(spinner()).toBe(false);
  await answer();
  await act(async () => void call(api.POST("/api/live/ticket")));
  expect(spinner()).toBe(true);
  await answer();
  expect(spinner()).toBe(false);
  await refreshed();
});
