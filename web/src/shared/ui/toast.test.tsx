import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { toastError } from "./errors";
import { toast, Toaster } from "./toast";

const after = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster />);
  return () => {
    vi.runAllTimers();
    vi.useRealTimers();
  };
});

it("shows a confirmation for three seconds", () => {
  act(() => toast.success("Saved"));
  expect(screen.getByRole("status").textContent).toBe("Saved");
  after(2_999);
  expect(screen.queryByRole("status")).not.toBeNull();
  after(1);
  expect(screen.queryByRole("status")).toBeNull();
});

it("says an error as an alert, the same words once", () => {
  act(() => toast.error("No"));
  after(2_000);
  act(() => toast.error("No"));
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  after(2_999);
  expect(screen.queryByRole("alert")).not.toBeNull();
});

it("shows a missing permission for four seconds and leaves a 401 to the sign-in", () => {
  const refused = (status: number) =>
    new ApiError(status, { code: "x", message: "No.", params: {}, errors: [] });
  act(() => toastError(refused(401)));
  expect(screen.queryByRole("alert")).toBeNull();
  act(() => toastError(refused(403)));
  after(3_999);
  expect(screen.queryByRole("alert")).not.toBeNull();
  after(1);
  expect(screen.queryByRole("alert")).toBeNull();
});
