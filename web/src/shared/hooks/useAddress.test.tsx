import { act, render, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import {
  createHashRouter,
  MemoryRouter,
  RouterProvider,
  useLocation,
  useNavigate,
} from "react-router";
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

test("what the address holds already counts, even where the page does not show it yet", async () => {
  window.location.hash = "#/list";
  let seen: ReturnType<typeof useAll> & { navigate: ReturnType<typeof useNavigate> };
  function List() {
    seen = { ...useAll(), navigate: useNavigate() };
    return null;
  }
  render(<RouterProvider router={createHashRouter([{ path: "*", element: <List /> }])} />);
  const before = seen!;
  await act(async () => {
    await before.navigate("?record=7", { replace: true });
    // No render in between.
    before.query.set({ search: "plata" });
  });
  expect(seen!.record.opened).toBe(7);
  expect(seen!.query.search).toBe("plata");
});
