import { act, render, renderHook } from "@testing-library/react";
import { useEffect, type ReactNode } from "react";
import {
  createHashRouter,
  MemoryRouter,
  RouterProvider,
  useLocation,
  useNavigate,
} from "react-router";
import { expect, test } from "vitest";
import { useOpenRecord } from "./useAddress";
import { useTableQuery } from "./useTableQuery";

const inRouter = ({ children }: { children: ReactNode }) => <MemoryRouter>{children}</MemoryRouter>;

function useAll() {
  return { query: useTableQuery(), record: useOpenRecord(), search: useLocation().search };
}

test("a change made with an older render's function keeps later changes of the address", () => {
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

type Seen = ReturnType<typeof useAll> & { navigate: ReturnType<typeof useNavigate> };

function List({ onSeen }: { onSeen: (now: Seen) => void }) {
  const all = useAll();
  const navigate = useNavigate();
  useEffect(() => {
    onSeen({ ...all, navigate });
  });
  return null;
}

test("a change applies to the browser's address even before the page has rendered it", async () => {
  window.location.hash = "#/list";
  const seen: Seen[] = [];
  const element = <List onSeen={(now) => seen.push(now)} />;
  render(<RouterProvider router={createHashRouter([{ path: "*", element }])} />);
  const before = seen.at(-1)!;
  await act(async () => {
    await before.navigate("?record=7", { replace: true });
    // No render in between.
    before.query.set({ search: "plata" });
  });
  expect(seen.at(-1)!.record.opened).toBe(7);
  expect(seen.at(-1)!.query.search).toBe("plata");
});
