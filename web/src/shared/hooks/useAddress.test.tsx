import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, test } from "vitest";
import { useOpenRecord } from "./useOpenRecord";
import { useTableQuery } from "./useTableQuery";

const inRouter = ({ children }: { children: ReactNode }) => <MemoryRouter>{children}</MemoryRouter>;

function useAll() {
  return { query: useTableQuery(), record: useOpenRecord(), search: useLocation().search };
}

test("what was begun before another change of the address keeps that change", () => {
  const { result } = renderHook(useAll, { wrapper: inRouter });
  const before = result.current;
  act(() => before.record.open(7));
  act(() => before.query.set({ search: "plata" }));
  expect(result.current.record.opened).toBe(7);
  expect(result.current.query.search).toBe("plata");
  act(() => before.record.close());
  expect(result.current.search).toBe("?search=plata");
  act(() => before.query.more());
  act(() => before.query.clear());
  expect(result.current.search).toBe("");
});
