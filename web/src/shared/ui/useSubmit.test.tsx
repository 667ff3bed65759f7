import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { toast } from "./toast";
import { useIsShown, useSubmit } from "./useSubmit";

const offline = new ApiError(0, { code: "unreachable", message: "", params: {}, errors: [] });
const refused = new ApiError(409, { code: "taken", message: "", params: {}, errors: [] });

type Work = (headers: { "Idempotency-Key": string }, notes: string) => Promise<string>;

function recording(outcomes: (Error | null)[]) {
  const keys: string[] = [];
  const work = vi.fn<Work>(async (headers) => {
    keys.push(headers["Idempotency-Key"]);
    const outcome = outcomes.shift();
    if (outcome) throw outcome;
    return "done";
  });
  return { keys, work };
}

it("sends a double click once", async () => {
  const { work } = recording([]);
  const { result } = renderHook(() => useSubmit(work));
  const answers = await act(() =>
    Promise.all([result.current.submit("a"), result.current.submit("a")]),
  );
  expect(answers).toEqual(["done", undefined]);
  expect(work).toHaveBeenCalledTimes(1);
  expect(result.current.busy).toBe(false);
});

it("sends the same content with the same key again after a lost connection", async () => {
  const { keys, work } = recording([offline, null, null]);
  const { result } = renderHook(() => useSubmit(work));
  await act(() => expect(result.current.submit("a")).rejects.toBe(offline));
  await act(() => result.current.submit("a"));
  await act(() => result.current.submit("a"));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

it("repeats what it sent before, though the form would send something else by now", async () => {
  const [before, since] = [recording([offline, null]), recording([])];
  const { result, rerender } = renderHook(useSubmit, { initialProps: before.work });
  await act(() => expect(result.current.submit("a")).rejects.toBe(offline));
  rerender(since.work);
  await act(() => result.current.submit("a"));
  expect([before.keys.length, since.keys.length]).toEqual([2, 0]);
  await act(() => result.current.submit("a"));
  expect([before.keys.length, since.keys.length]).toEqual([2, 1]);
});

it("shows a message if it fails after the form is gone", async () => {
  const shown = vi.spyOn(toast, "error");
  const { work } = recording([offline, refused]);
  const { result, unmount } = renderHook(() => useSubmit(work));
  await act(() => expect(result.current.submit("a")).rejects.toBe(offline));
  expect(shown).not.toHaveBeenCalled();
  unmount();
  await expect(result.current.submit("b")).rejects.toBe(refused);
  expect(shown).toHaveBeenCalledTimes(1);
});

it("uses a new key for other content, and after an error answer", async () => {
  const { keys, work } = recording([offline, refused, null]);
  const { result } = renderHook(() => useSubmit(work));
  await act(() => expect(result.current.submit("a")).rejects.toBe(offline));
  await act(() => expect(result.current.submit("b")).rejects.toBe(refused));
  await act(() => result.current.submit("b"));
  expect(new Set(keys).size).toBe(3);
});

it("reports whether the form is still mounted", () => {
  const { result, unmount } = renderHook(useIsShown);
  const isShown = result.current;
  expect(isShown()).toBe(true);
  unmount();
  expect(isShown()).toBe(false);
});
