import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, it } from "vitest";
import { useTableQuery } from "./useTableQuery";

function started(address: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
  );
  return renderHook(
    () => ({ query: useTableQuery(["status", "late"]), search: useLocation().search }),
    { wrapper },
  ).result;
}

it("reads search, filters, order and rows from the address, and ignores other parameters", () => {
  const { query } = started("/a?search=PO-1&status=New&ordering=-id&show=75&other=x").current;
  expect(query).toMatchObject({ search: "PO-1", ordering: "-id", show: 75, isFiltered: true });
  expect(query.server).toEqual({ search: "PO-1", status: "New", ordering: "-id" });
});

it("shows one page if the address has no number of rows or an invalid one", () => {
  expect(started("/a").current.query).toMatchObject({ show: 25, isFiltered: false, server: {} });
  expect(started("/a?show=-3").current.query.show).toBe(25);
  expect(started("/a?show=many").current.query.show).toBe(25);
});

it("resets the number of rows on a new filter, and removes empty filters from the address", () => {
  const result = started("/a?status=New&show=75");
  act(() => result.current.query.set({ status: "", late: "true" }));
  expect(result.current.search).toBe("?late=true");
  expect(result.current.query.show).toBe(25);
});

it("shows more rows, and clears all but the order and other parameters", () => {
  const result = started("/a?search=x&status=New&ordering=id&tab=2");
  act(() => result.current.query.more());
  expect(result.current.query.show).toBe(50);
  act(() => result.current.query.clear());
  expect(result.current.search).toBe("?ordering=id&tab=2");
});
