/**
 * What the dashboard shows after a call failed: earlier data stays, the aggregate becomes empty.
 */
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig, useSWRConfig } from "swr";
import { expect, it, vi } from "vitest";
import { useStatusCounts, useThroughput } from "./reports.api";

let away = false;
vi.stubGlobal("fetch", async ({ url }: Request) => {
  if (away) throw new TypeError("Failed to fetch");
  const rows = url.includes("aggregate") ? [{ status: "New", count: 3 }] : [{ pieces: 5 }];
  return new Response(JSON.stringify(rows), { headers: { "Content-Type": "application/json" } });
});

const MARCH = { from: "2026-03-01", to: "2026-03-31" };

function withCache({ children }: { children: ReactNode }) {
  return (
    <SWRConfig
      value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}
    >
      {children}
    </SWRConfig>
  );
}

it("empties the aggregate and keeps the other data", async () => {
  const { result } = renderHook(
    () => ({
      counts: useStatusCounts(MARCH),
      throughput: useThroughput(MARCH),
      again: useSWRConfig().mutate,
    }),
    { wrapper: withCache },
  );
  await waitFor(() => expect(result.current.throughput.data).toBeDefined());
  expect(result.current.counts).toEqual([{ status: "New", count: 3 }]);

  away = true;
  await act(async () => void result.current.again(() => true));
  await waitFor(() => expect(result.current.counts).toEqual([]));
  expect(result.current.throughput.data).toEqual([{ pieces: 5 }]);

  away = false;
  await act(async () => void result.current.again(() => true));
  await waitFor(() => expect(result.current.counts).toEqual([{ status: "New", count: 3 }]));
});
