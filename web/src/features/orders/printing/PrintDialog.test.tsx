import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import PrintDialog from "./PrintDialog";

vi.mock("@/entities/printing/runs", () => ({ loadProgress: async () => ({ done: 1, total: 2 }) }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  return () => vi.useRealTimers();
});
afterEach(cleanup);

function open(error: ApiError | null) {
  const pressed = {
    onAgain: vi.fn<() => void>(),
    onClose: vi.fn<() => void>(),
    onHide: vi.fn<() => void>(),
    onGiveUp: vi.fn<() => void>(),
  };
  render(<PrintDialog runId="one" error={error} {...pressed} />);
  return pressed;
}

const press = (name: string) => fireEvent.click(screen.getByText(name).closest("button")!);

it("appears once a print takes 0.7 s, and can be canceled or hidden", () => {
  const pressed = open(null);
  act(() => void vi.advanceTimersByTime(699));
  expect(screen.queryByRole("dialog")).toBeNull();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.getByText("print.goesOn")).toBeTruthy();
  press("print.giveUp");
  expect(pressed.onGiveUp).toHaveBeenCalledOnce();
  press("print.hide");
  expect(pressed.onHide).toHaveBeenCalledOnce();
});

it("says why printing failed, and offers to try again", () => {
  const body = { code: "pdf_unavailable", message: "Down", params: {}, errors: [] };
  const pressed = open(new ApiError(503, body));
  expect(screen.getByText("Down").getAttribute("role")).toBe("alert");
  press("print.again");
  expect(pressed.onAgain).toHaveBeenCalledOnce();
});
