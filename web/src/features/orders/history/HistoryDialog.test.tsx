import { act, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aLine, aRecord } from "@/testing/lines";
import HistoryDialog from "./HistoryDialog";

vi.mock("../orders.api", () => ({ useHistory: () => ({ data: [aRecord()], error: undefined }) }));
vi.mock("@/shared/hooks/useOptions", () => ({ useShortList: () => ({ rows: [] }) }));

const after = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const nothing = () => undefined;

beforeAll(() => startI18n());

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = nothing;
      unobserve = nothing;
      disconnect = nothing;
    },
  );
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

it("enables sorting and pagination 0.5 s after it opens", () => {
  render(<HistoryDialog line={aLine()} onUndo={nothing} onClose={nothing} />);
  const attached = () => [
    document.querySelectorAll(".ant-table-column-has-sorters").length > 0,
    document.querySelector(".ant-pagination") !== null,
  ];
  expect(screen.getByText("Vaciado")).toBeDefined();
  after(499);
  expect(attached()).toEqual([false, false]);
  after(1);
  expect(attached()).toEqual([true, true]);
});
