import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useSheets } from "./useSheets";

it("tells once of rows that are left to mend, and again when there are others", () => {
  const { result } = renderHook(() => useSheets([], () => undefined));
  expect(result.current.countToWarnOf()).toBe(0);
  act(() => result.current.add([]));
  const { id } = result.current.sheets[0]!;
  act(() => result.current.close(id, 2));
  expect([result.current.countToWarnOf(), result.current.countToWarnOf()]).toEqual([2, 0]);
  act(() => result.current.close(id, 1));
  expect([result.current.countToWarnOf(), result.current.countToWarnOf()]).toEqual([1, 0]);
});
