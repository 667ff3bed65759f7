import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Line, StationScan } from "@/contract";
import { forgetDocuments } from "@/shared/http/store";
import { startI18n } from "@/shared/i18n";
import { aLine, aRecord, aStation, someInside, someWaiting } from "@/testing/lines";
import { OpenedLine } from "./OpenedLine";
import { workAt, workOfScan } from "./possible";
import type { Pressed } from "./types";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));

const HERE = 2;
const ELSEWHERE = { productionProcessId: 3, productionProcessName: "Lijado" };
const onPress = vi.fn<(what: Pressed) => Promise<void>>();

const offer = (productionProcessId: number, productionProcessName: string, usual = false) => ({
  productionProcessId,
  productionProcessName,
  maxQuantity: 6,
  usual,
});

beforeAll(() => startI18n());
beforeEach(() => {
  forgetDocuments();
  onPress.mockReset().mockResolvedValue();
});

function open(
  line: Line,
  scan: Partial<StationScan> = {},
  { reading = false, direction = null as "in" | "out" | null } = {},
) {
  const isInside = line.inside.some(({ productionProcessId }) => productionProcessId === HERE);
  const station = aStation({
    inside: isInside ? [line] : [],
    queue: line.waiting.length > 0 ? [line] : [],
  });
  const found: StationScan = {
    line,
    direction: "none",
    maxIn: 0,
    maxOut: 0,
    handOver: [],
    why: null,
    ...scan,
  };
  const work = workAt(station, []).get("1-1") ?? workOfScan(found, null, HERE);
  render(
    <OpenedLine
      station={station}
      line={{ work, direction, scan: found }}
      worker={{ id: 7, fullName: "Ana Ruiz", operatorToken: null }}
      turn={1}
      draft={{ chosen: null, typed: null, notes: "" }}
      resumed={false}
      problem={null}
      reading={reading}
      onDraft={() => {}}
      onClose={() => {}}
      onPress={onPress}
    />,
  );
}

const insideHere = aLine({ notes: "Grabar iniciales", inside: [someInside({ quantity: 6 })] });

it("has a button for the usual next process, and folds the others", async () => {
  const handOver = [offer(3, "Lijado"), offer(4, "Engaste", true), offer(5, "Pulido")];
  open(insideHere, { handOver });
  const others = screen.getByText("Otros procesos (2)").closest("details")!;
  expect(others.open).toBe(false);
  const usual = screen.getByRole("button", { name: "Sacar 6 de Vaciado y meter a Engaste" });
  expect(others.contains(usual)).toBe(false);
  await userEvent.click(usual);
  expect(onPress.mock.lastCall?.[0]).toMatchObject({
    type: "hand-over",
    quantity: 6,
    to: { productionProcessId: 4, productionProcessName: "Engaste" },
  });
});

it("shows the line's note above its button", () => {
  open(insideHere);
  const note = screen.getByText("Grabar iniciales");
  const button = screen.getByRole("button", { name: "Sacar 6 de Vaciado" });
  expect(note.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it("shows the notes of those who moved the pieces before, beside the picture", () => {
  const inputNotes = "Cuidado con el broche";
  open({ ...insideHere, productionProcesses: [{ ...aRecord(), inputNotes }] });
  const notes = screen.getByRole("list", { name: "Notas de quienes la movieron antes" });
  expect(notes.textContent).toContain("Cuidado con el broche Luis Vega");
  expect(notes.closest(".ob-opened__what")).not.toBeNull();
});

it("brings in the pieces that wait here, though more may enter", () => {
  const casting = { productionProcessId: HERE, productionProcessName: "Vaciado", maxQuantity: 10 };
  const offers = { ...aLine().offers, in: [casting] };
  open(aLine({ waiting: [someWaiting({ quantity: 4 })], offers }), { maxIn: 10 });
  const button = screen.getByRole("button", { name: "Meter 4 a Vaciado" });
  expect(button).toHaveProperty("disabled", false);
  expect(screen.getByText(/de 4 listas; pueden entrar 10/)).toBeTruthy();
});

it("offers what is left to move if the scan came before the pieces went in", () => {
  open(insideHere, {}, { direction: "in" });
  expect(screen.getByRole("button", { name: "Sacar 6 de Vaciado" })).toHaveProperty(
    "disabled",
    false,
  );
});

it("says why a line cannot be moved here, and where it is", () => {
  const inside = [someInside({ ...ELSEWHERE, quantity: 10 })];
  const standing = { ...aLine().standing, kind: "inside" as const };
  const why = { code: "not_enough_pieces", message: "Quedan 0", params: {} };
  open(aLine({ status: "InProcess", inside, standing }), { why });
  const said = screen.getByRole("alert").textContent;
  expect(said).toMatch(/No se puede mover aquí: Quedan 0.*10 en Lijado con Luis Vega desde hace/);
  expect(screen.queryByRole("button", { name: /Vaciado/ })).toBeNull();
});

it("moves nothing while another code is being read", () => {
  open(insideHere, { handOver: [offer(4, "Engaste", true)] }, { reading: true });
  const presses = screen.getAllByRole("button", { name: /^Sacar/ });
  expect(presses.map((each) => (each as HTMLButtonElement).disabled)).toEqual([true, true]);
});
