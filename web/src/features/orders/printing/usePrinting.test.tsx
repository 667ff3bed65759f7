import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { printSheets } from "@/entities/printing/runs";
import { ApiError } from "@/shared/http/ApiError";
import { storeSession } from "@/shared/session/session";
import { toastError, toastNotAllowed } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { usePrinting } from "./usePrinting";

vi.mock(import("@/entities/printing/runs"), async (load) => ({
  ...(await load()),
  printSheets: vi.fn<typeof printSheets>(),
}));
vi.mock("@/shared/ui/errors", () => ({
  toastError: vi.fn<typeof toastError>(),
  toastNotAllowed: vi.fn<() => void>(),
}));

let signal: AbortSignal;
let finish: () => void;
let fail: (reason: Error) => void;

beforeEach(() => {
  vi.mocked(toastError).mockClear();
  storeSession(aSession({ permissions: ["PrintWorkSheet"] }));
  vi.mocked(printSheets).mockImplementation((_documents, _id, given) => {
    signal = given;
    return new Promise((resolve, reject) => {
      finish = () => resolve(undefined as never);
      fail = reject;
      given.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    });
  });
});

type Dialog = { props: { onHide: () => void; onGiveUp: () => void } } | false;

function begun() {
  const hook = renderHook(usePrinting);
  void act(() => void hook.result.current.print([{ salesOrderId: 1 }]));
  return { ...hook, dialog: () => hook.result.current.dialog as Dialog };
}

it("aborts the request and says nothing if the user cancels the print", async () => {
  const { result, dialog } = begun();
  expect(result.current.busy).toBe(true);
  await act(async () => (dialog() as Exclude<Dialog, false>).props.onGiveUp());
  expect(signal.aborted).toBe(true);
  expect([result.current.busy, dialog()]).toEqual([false, false]);
  expect(toastError).not.toHaveBeenCalled();
});

it("continues while the dialog is hidden", async () => {
  const { result, dialog } = begun();
  await act(async () => (dialog() as Exclude<Dialog, false>).props.onHide());
  expect([result.current.busy, dialog(), signal.aborted]).toEqual([true, false, false]);
});

it("says that it failed after the page was left", async () => {
  const { unmount } = begun();
  unmount();
  expect(signal.aborted).toBe(false);
  await act(async () => fail(new Error("gone")));
  expect(toastError).toHaveBeenCalledOnce();
});

it("says that the sheets are ready after the page was left", async () => {
  const said = vi.spyOn(toast, "success").mockReturnValue(undefined as never);
  const { unmount } = begun();
  unmount();
  await act(async () => finish());
  expect(said).toHaveBeenCalledWith("print.done");
});

it("prints nothing without the permission, and says so", () => {
  storeSession(aSession({ permissions: ["ListOrders"] }));
  vi.mocked(printSheets).mockClear();
  const { dialog } = begun();
  expect(toastNotAllowed).toHaveBeenCalledOnce();
  expect(printSheets).not.toHaveBeenCalled();
  expect(dialog()).toBe(false);
});

it("says that it failed beside the dialog that offers to try again", async () => {
  const { dialog } = begun();
  const unavailable = { code: "unavailable", message: "", params: {}, errors: [] };
  await act(async () => fail(new ApiError(503, unavailable)));
  expect(dialog()).not.toBe(false);
  expect(toastError).toHaveBeenCalledOnce();
});
