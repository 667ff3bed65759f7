import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aStation } from "@/testing/floor";
import { aLine, aRecord } from "@/testing/lines";
import { LastPress } from "./LastPress";
import { aMovement } from "./queue/aPress";
import type { Settled } from "./queue/sending";

const settled = vi.hoisted(() => ({ tell: (_settled: unknown): void => undefined }));
vi.mock("./queue/useMovements", () => ({
  movements: {},
  useMovements: () => ({ movements: [] }),
  useSettled: (listener: (event: unknown) => void) => {
    settled.tell = listener;
  },
}));
vi.mock("./useUndo", () => ({ useUndo: () => ({}) }));

beforeAll(() => startI18n());
afterEach(() => vi.useRealTimers());

it.each([
  [12.1, 0.24, 19.4, false],
  [12, 0.34, 27.6, true],
])(
  "says what was lost when %d g came out: %d g, %d ‰",
  (gramsOut, lossGrams, lossPerMille, over) => {
    const movement = aMovement({ type: "out", weights: { grams: gramsOut } });
    render(
      <LastPress
        movement={movement}
        station={aStation()}
        worker={{ id: 7, fullName: "Ana Ruiz", operatorToken: null }}
        show={() => undefined}
        onEnd={() => undefined}
      />,
    );
    const record = {
      ...aRecord(),
      outputDate: "2026-03-14T16:00:00Z",
      gramsIn: 12.34,
      gramsOut,
      lossGrams,
      allowedLoss: 20,
    };
    const sent = {
      kind: "done" as const,
      line: aLine({ productionProcesses: [record] }),
      by: "2026-03-14T16:00:00Z",
    };
    act(() => settled.tell({ movement, sent } satisfies Settled));
    const last = screen.getByRole("complementary");
    expect(last.textContent).toContain(
      `Merma ${lossGrams} g · ${Math.round(lossPerMille * 10) / 100} % · permitida 2 %`,
    );
    expect(last.querySelector(".ob-note--warning") !== null).toBe(over);
  },
);

it("stays while a finger is on its button, so that a press in the last second counts", () => {
  vi.useFakeTimers();
  const onEnd = vi.fn<() => void>();
  render(
    <LastPress
      movement={aMovement({ type: "out" })}
      station={aStation()}
      worker={{ id: 7, fullName: "Ana Ruiz", operatorToken: null }}
      show={() => undefined}
      onEnd={onEnd}
    />,
  );
  const pass = (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) act(() => vi.advanceTimersByTime(1_000));
  };
  const undo = screen.getByRole("button");
  pass(4);
  fireEvent.pointerDown(undo);
  pass(9);
  expect(onEnd).not.toHaveBeenCalled();
  fireEvent.pointerLeave(undo);
  pass(1);
  expect(onEnd).toHaveBeenCalledExactlyOnceWith();
});
