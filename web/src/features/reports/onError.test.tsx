/** What the dashboard keeps when a call fails: earlier data stays, the aggregate becomes empty (specification 2, section 4). */
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig, useSWRConfig } from "swr";
import { expect, it, vi } from "vitest";
import { keys } from "@/shared/keys";
import { useStatusCounts, useThroughput } from "./reports.api";

const answers = vi.hoisted(() => ({ fail: false }));
vi.mock("@/shared/http/client", () => ({
  api: { GET: (path: string) => path },
  call: async (path: string) => {
    if (answers.fail) throw new Error("The server is away.");
    return path.includes("aggregate") ? [{ status: "New", count: 3 }] : [{ pieces: 5 }];
  },
}));

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

it("empties the aggregate and keeps the rest", async () => {
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

  answers.fail = true;
  await act(async () => {
    await result.current.again(keys.dashboard("statuses", MARCH)).catch(() => undefined);
    await result.current.again(keys.dashboard("throughput", MARCH)).catch(() => undefined);
  });
  await waitFor(() => expect(result.current.counts).toEqual([]));
  expect(result.current.throughput.data).toEqual([{ pieces: 5 }]);

  answers.fail = false;
  await act(() => result.current.again(keys.dashboard("statuses", MARCH)));
  await waitFor(() => expect(result.current.counts).toEqual([{ status: "New", count: 3 }]));
});
