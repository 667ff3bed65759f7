import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { SearchField } from "./SearchField";

const onSearch = vi.fn<(text: string) => void>();
const type = (value: string) =>
  fireEvent.change(screen.getByRole("searchbox"), { target: { value } });

beforeAll(() => startI18n());
beforeEach(() => {
  onSearch.mockReset();
  window.location.hash = "#/administration/permissions";
  vi.useFakeTimers();
  render(<SearchField value="" label="Search" onSearch={onSearch} />);
  return () => vi.useRealTimers();
});

it("searches once, 300 ms after the last key", () => {
  type("a");
  act(() => vi.advanceTimersByTime(200));
  type("an ");
  act(() => vi.advanceTimersByTime(299));
  expect(onSearch).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(1));
  expect(onSearch.mock.calls).toEqual([["an"]]);
});

it("does not search after a link was followed", () => {
  type("a");
  window.location.hash = "#/administration/roles?record=1";
  act(() => vi.advanceTimersByTime(1_000));
  expect(onSearch).not.toHaveBeenCalled();
});

it("names its clear button, which empties it", () => {
  type("a");
  fireEvent.click(screen.getByRole("button", { name: "Vaciar" }));
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
});
