/** An opened line at a station whose process weighs. */
import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { ProcessRecord, StationScan } from "@/contract";
import { forgetDocuments } from "@/shared/http/store";
import { startI18n } from "@/shared/i18n";
import { NO_WEIGHTS } from "@/entities/weight/weights";
import { aStation } from "@/testing/floor";
import { holdProcesses } from "@/entities/processes";
import { serve } from "@/testing/pages";
import { aLine, aRecord, PLANT, someInside } from "@/testing/lines";
import { OpenedLine } from "./OpenedLine";
import { workAt } from "./possible";
import type { Draft, Pressed, Weighs } from "./types";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("@/shared/hooks/useOptions", () => ({ useShortList: () => ({ rows: [] }) }));

const onPress = vi.fn<(what: Pressed) => Promise<void>>();
const PRESS = "Sacar 6 de Vaciado";

interface Given {
  weighs: Weighs;
  /** Whether the usual next process weighs. */
  next?: Weighs;
  offline?: boolean;
  draft?: Partial<Draft>;
  records?: ProcessRecord[];
}

function Opened({ weighs, next = "no", offline = false, draft: first = {}, records = [] }: Given) {
  const [draft, setDraft] = useState<Draft>({
    chosen: null,
    typed: null,
    notes: "",
    photo: null,
    weights: NO_WEIGHTS,
    part: null,
    refused: null,
    ...first,
  });
  const here = { productionProcessId: 2, maxQuantity: 6 };
  holdProcesses(PLANT.map((process) => ({ ...process, weighs })));
  const there = { productionProcessId: 3, productionProcessName: "Lijado", maxQuantity: 6 };
  const line = aLine({
    inside: [someInside({ quantity: 6 })],
    weighed: true,
    offers: { ...aLine().offers, out: [here] },
    productionProcesses: records,
  });
  const station = aStation({ inside: [line] });
  const scan: StationScan = {
    line,
    direction: "out",
    maxIn: 0,
    maxOut: 6,
    handOver: [{ ...there, usual: true, weighs: next }],
    why: null,
  };
  return (
    <OpenedLine
      station={station}
      line={{ work: workAt(station, []).get("1-1")!, direction: "out", scan }}
      worker={{ id: 7, fullName: "Ana Ruiz", operatorToken: null }}
      turn={1}
      draft={draft}
      resumed={false}
      problem={null}
      reading={false}
      offline={offline}
      onDraft={setDraft}
      onClose={() => {}}
      onPress={onPress}
      onSay={() => {}}
    />
  );
}

const button = () => screen.getByRole<HTMLButtonElement>("button", { name: PRESS });
const field = () => screen.queryByRole<HTMLInputElement>("textbox", { name: /^Peso/ });
const type = (value: string) => fireEvent.change(field()!, { target: { value } });
const sent = () => onPress.mock.lastCall?.[0].weights;

beforeAll(() => startI18n());
beforeEach(() => {
  serve({});
  forgetDocuments();
  onPress.mockReset().mockResolvedValue();
});

it("has no weight where the process does not weigh", async () => {
  render(<Opened weighs="no" />);
  expect(field()).toBeNull();
  expect(document.activeElement).toBe(button());
  await userEvent.click(button());
  expect(sent()).toEqual({});
});

it("starts in a required weight, and Enter goes on to the button that moves", async () => {
  render(<Opened weighs="required" />);
  expect(document.activeElement).toBe(field());
  expect(button().disabled).toBe(true);
  expect(screen.getByText(/^Pese las piezas/)).toBeTruthy();
  type("12,34");
  fireEvent.keyDown(field()!, { key: "Enter" });
  expect(document.activeElement).toBe(button());
  await userEvent.keyboard("{Enter}");
  expect(sent()).toEqual({ grams: 12.34 });
});

it("goes to the weight if the answer says only later that it is required", () => {
  const { rerender } = render(<Opened weighs="no" />);
  expect(document.activeElement).toBe(button());
  rerender(<Opened weighs="required" />);
  expect(document.activeElement).toBe(field());
});

it("starts on the button if the weight may be left out", async () => {
  render(<Opened weighs="optional" />);
  expect(document.activeElement).toBe(button());
  await userEvent.click(button());
  expect(sent()).toEqual({});
  type("12 oz");
  expect(button().disabled).toBe(true);
});

it("takes a movement without its required weight while nothing can be sent", async () => {
  render(<Opened weighs="required" offline />);
  expect(screen.getByText(/quedará en «Por pesar»/)).toBeTruthy();
  await userEvent.click(button());
  expect(sent()).toEqual({});
});

it("asks why over the allowance, and moves without an answer", async () => {
  const records = [{ ...aRecord(), quantity: 6, gramsIn: 100, allowedLoss: 20 }];
  render(<Opened weighs="required" records={records} />);
  type("98");
  expect(screen.getByText("Merma 2 g · 2 % · permitida 2 %")).toBeTruthy();
  expect(screen.queryByLabelText(/¿Por qué/)).toBeNull();
  type("97");
  expect(screen.getByText("Merma 3 g · 3 % · permitida 2 %").className).toContain("warning");
  expect(button().disabled).toBe(false);
  await userEvent.type(screen.getByLabelText(/¿Por qué/), "Se fundió");
  await userEvent.click(button());
  expect(sent()).toEqual({ grams: 97, weightReason: "Se fundió" });
});

it("shows what the worker's own pieces weighed, which leave before those of others", () => {
  const of = { ...aRecord(), quantity: 6, allowedLoss: 40 };
  const own = { ...of, id: 501, gramsIn: 21.257, inputById: 7, inputDate: "2026-03-14T16:00:00Z" };
  render(<Opened weighs="required" records={[{ ...of, gramsIn: 21.1 }, own]} />);
  expect(screen.getByText("21.257 g").closest("p")?.textContent).toBe("Entraron: 21.257 g");
  type("20.7");
  expect(screen.getByText(/^Merma 0.557 g/)).toBeTruthy();
});

it("weighs once for both processes of a hand-over, and for the one that asks for it", async () => {
  render(<Opened weighs="no" next="required" />);
  const handOver = screen.getByRole<HTMLButtonElement>("button", { name: /y meter a Lijado/ });
  expect(handOver.disabled).toBe(true);
  expect(handOver.textContent).toContain("Primero el peso");
  type("12.34");
  expect(handOver.disabled).toBe(false);
  await userEvent.click(handOver);
  expect(sent()).toEqual({ grams: 12.34 });
  // Here the process does not weigh.
  await userEvent.click(button());
  expect(sent()).toEqual({});
});

it("says at the field why the server refused the weight, until it is changed", () => {
  const refused = { code: "grams_heavier", message: "Sale más metal del que entró" };
  render(<Opened weighs="optional" draft={{ refused, weights: { ...NO_WEIGHTS, grams: 120 } }} />);
  expect(document.activeElement).toBe(field());
  expect(screen.getByRole("alert").textContent).toMatch(/^Sale más metal del que entró/);
  expect(screen.getByLabelText("¿Por qué pesa más?")).toBeTruthy();
  type("100");
  expect(screen.queryByRole("alert")).toBeNull();
});
