import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aLine, someInside } from "@/testing/lines";
import { CallButtons, StationCalls, type Saying } from "./Calls";
import { nameOf, workAt } from "./possible";
import { aMovement } from "./queue/aPress";
import type { Movement } from "./queue/storage";
import type { Station } from "@/contract";

const AT = "2026-03-14T15:00:00Z";
const line = aLine({
  inside: [someInside({ productionProcessId: 2 })],
  call: { id: 9, kind: "stop", at: AT },
});
const station = {
  process: { productionProcessId: 2, productionProcessName: "Vaciado", active: true },
  queue: [],
  later: [],
  inside: [line],
  names: [],
  recent: [],
} as unknown as Station;

const workWith = (movements: readonly Movement[]) => workAt(station, movements).get(nameOf(line))!;
const said = (kind: "missing" | "stop", comesTo: number | null) =>
  aMovement({ type: "talk", said: { kind, comesTo }, line: { ...aMovement().line, ...place } });
const place = { salesOrderId: line.salesOrderId, position: line.position };

beforeAll(() => startI18n());

describe("the open call of a line at a station", () => {
  it("is the server's, and moves no piece", () => {
    const work = workWith([]);
    expect(work.call).toEqual({ id: 9, kind: "stop", at: AT, pending: false });
    const called = workWith([said("missing", null)]);
    expect(called).toEqual({
      ...work,
      call: { id: 0, kind: "missing", at: aMovement().madeAt, pending: true },
    });
  });

  it("is gone as soon as the worker comes for it, and not for another one", () => {
    expect(workWith([said("stop", 9)]).call).toBeNull();
    expect(workWith([said("stop", 8)]).call).toMatchObject({ id: 9 });
  });

  it("stands again if the server refused the worker's coming", () => {
    const refused = { ...said("stop", 9), refused: { code: "not_found", message: "No" } };
    expect(workWith([refused]).call).toMatchObject({ id: 9 });
  });
});

it("three buttons call at one touch, but not for what is called already", async () => {
  const onSay = vi.fn<Saying>();
  const work = workWith([]);
  render(<CallButtons work={work} onSay={onSay} />);
  await userEvent.click(screen.getByRole("button", { name: "Falta material" }));
  await userEvent.click(screen.getByRole("button", { name: "Pregunta" }));
  await userEvent.click(screen.getByRole("button", { name: "Alto" }));
  expect(onSay.mock.calls).toEqual([
    [work, { kind: "missing", comesTo: null }],
    [work, { kind: "question", comesTo: null }],
  ]);
});

it("open calls are listed and answered at one touch, and one that waits to be sent is not", async () => {
  const onSay = vi.fn<Saying>();
  const work = workWith([]);
  const waiting = { ...workWith([said("missing", null)]), position: 2 };
  render(<StationCalls rows={[work, waiting]} onSay={onSay} />);
  expect(screen.getByRole("status").textContent).toBe("Llamados abiertos (2)");
  screen.getByText(/Falta material · por enviar/);
  await userEvent.click(screen.getByRole("button", { name: /^Voy: Alto/ }));
  expect(onSay.mock.calls).toEqual([[work, { kind: "stop", comesTo: 9 }]]);
});

it("without a call there is no list", () => {
  const { container } = render(
    <StationCalls rows={[{ ...workWith([]), call: null }]} onSay={() => {}} />,
  );
  expect(container.innerHTML).toBe("");
});
