import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Line, StationScan } from "@/contract";
import { forgetDocuments } from "@/shared/http/store";
import { startI18n } from "@/shared/i18n";
import { NEW_PART } from "@/entities/scrapping/part";
import { NO_WEIGHTS } from "@/entities/weight/weights";
import { aStation } from "@/testing/floor";
import { aLine, aRecord, someInside, someWaiting } from "@/testing/lines";
import { OpenedLine } from "./OpenedLine";
import { workAt, workOfScan } from "./possible";
import type { Draft, Pressed } from "./types";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("@/shared/hooks/useOptions", () => ({
  useShortList: () => ({
    rows: [
      { id: 1, key: "broken", name: "Pieza rota", active: true },
      { id: 2, key: "lost", name: "Pieza extraviada", active: true },
      { id: 3, key: "old", name: "Motivo viejo", active: false },
    ],
    isLoading: false,
  }),
}));

const HERE = 2;
const ELSEWHERE = { productionProcessId: 3, productionProcessName: "Lijado" };
const onPress = vi.fn<(what: Pressed) => Promise<void>>();
const onDraft = vi.fn<(draft: Draft) => void>();
const EMPTY: Draft = {
  chosen: null,
  typed: null,
  notes: "",
  photo: null,
  weights: NO_WEIGHTS,
  part: null,
  refused: null,
};

const offer = (productionProcessId: number, productionProcessName: string, usual = false) => ({
  productionProcessId,
  productionProcessName,
  maxQuantity: 6,
  usual,
  weighs: "no" as const,
});

beforeAll(() => startI18n());
beforeEach(() => {
  forgetDocuments();
  onPress.mockReset().mockResolvedValue();
  onDraft.mockReset();
});

function open(
  line: Line,
  scan: Partial<StationScan> = {},
  { reading = false, direction = null as "in" | "out" | null, draft = {} as Partial<Draft> } = {},
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
      draft={{ ...EMPTY, ...draft }}
      resumed={false}
      problem={null}
      reading={reading}
      offline={false}
      onDraft={onDraft}
      onClose={() => {}}
      onPress={onPress}
      onSay={() => {}}
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
  const offers = { ...aLine().offers, in: [{ maxQuantity: 10, productionProcessIds: [HERE] }] };
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

describe("scrap", () => {
  const here = { productionProcessId: HERE, productionProcessName: "Vaciado", maxQuantity: 6 };
  const scrap = [{ ...here, type: "out" as const, weighs: "no" as const }];
  const mayScrap = aLine({
    inside: [someInside({ quantity: 6 })],
    actions: { ...aLine().actions, scrap },
  });
  const chosen = { chosen: "scrap" as const };

  it("is the third thing that can happen, if the worker may", async () => {
    open(mayScrap);
    await userEvent.click(screen.getByText("Dar de baja"));
    expect(onDraft.mock.lastCall?.[0]).toEqual({ ...EMPTY, ...chosen });
  });

  it("is not offered to who may not, even if pieces are inside", () => {
    open(insideHere);
    expect(screen.queryByText("Dar de baja")).toBeNull();
  });

  it("takes one piece by a touch on its reason", async () => {
    open(mayScrap, {}, { draft: chosen });
    expect(screen.queryByRole("button", { name: "Motivo viejo" })).toBeNull();
    expect(screen.getByRole("group", { name: "Dar de baja 1 de Vaciado" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Pieza rota" }));
    expect(onPress.mock.lastCall?.[0]).toMatchObject({
      type: "scrap",
      quantity: 1,
      to: null,
      weights: {},
      scrap: { reason: "broken", photo: null },
    });
  });

  it("takes as many as were typed, with the photo, and no more than are inside", async () => {
    open(mayScrap, {}, { draft: { ...chosen, typed: "4", photo: "AAAA" } });
    await userEvent.click(screen.getByRole("button", { name: "Pieza extraviada" }));
    expect(onPress.mock.lastCall?.[0]).toMatchObject({
      quantity: 4,
      scrap: { reason: "lost", photo: "AAAA" },
    });
    cleanup();
    open(mayScrap, {}, { draft: { ...chosen, typed: "7" } });
    expect(screen.getByRole("button", { name: "Pieza rota" })).toHaveProperty("disabled", true);
    expect(screen.getByText("Solo hay 6 adentro")).toBeTruthy();
  });

  it("is weighed where the process weighs, if somebody types the grams", async () => {
    const offers = [{ ...scrap[0]!, weighs: "required" as const }];
    const weighed = { ...mayScrap, actions: { ...mayScrap.actions, scrap: offers } };
    open(weighed, {}, { draft: chosen });
    await userEvent.click(screen.getByRole("button", { name: "Pieza rota" }));
    expect(onPress.mock.lastCall?.[0]).toMatchObject({ weights: {} });
    cleanup();
    open(weighed, {}, { draft: { ...chosen, weights: { ...NO_WEIGHTS, grams: 1.25 } } });
    expect(screen.getByLabelText("Peso de la baja (gramos)")).toHaveProperty("value", "1.25");
    await userEvent.click(screen.getByRole("button", { name: "Pieza rota" }));
    expect(onPress.mock.lastCall?.[0]).toMatchObject({ weights: { grams: 1.25 } });
  });

  it("takes the stones of scrapped pieces apart from their metal", async () => {
    const offers = [{ ...scrap[0]!, weighs: "required" as const }];
    const weighed = { ...mayScrap, actions: { ...mayScrap.actions, scrap: offers } };
    const weights = { ...NO_WEIGHTS, grams: 1.25, otherGrams: 0.25 };
    open(weighed, {}, { draft: { ...chosen, weights } });
    expect(screen.getByLabelText("Piedras y otros")).toHaveProperty("value", "0.25");
    await userEvent.click(screen.getByRole("button", { name: "Pieza rota" }));
    expect(onPress.mock.lastCall?.[0].weights).toEqual({ grams: 1.25, otherGrams: 0.25 });
  });

  describe("of a part of the pieces that leave", () => {
    const handOver = [offer(4, "Engaste", true)];
    const part = { ...NEW_PART, reason: "broken" };

    it("is one touch away, and not offered to who may not scrap or for one piece", async () => {
      open(mayScrap, { maxOut: 6 });
      await userEvent.click(screen.getByRole("button", { name: "Dar de baja una parte" }));
      expect(onDraft.mock.lastCall?.[0]).toEqual({ ...EMPTY, part: NEW_PART });
      cleanup();
      open(mayScrap, { maxOut: 6 }, { draft: { typed: "1" } });
      expect(screen.queryByRole("button", { name: "Dar de baja una parte" })).toBeNull();
      cleanup();
      open(insideHere, { maxOut: 6 });
      expect(screen.queryByRole("button", { name: "Dar de baja una parte" })).toBeNull();
    });

    it("leaves by the same press as the good pieces, and is named on the button", async () => {
      open(mayScrap, { maxOut: 6 }, { draft: { part: { ...part, pieces: 2, notes: " poros " } } });
      const name = "Sacar 4 de Vaciado y dar de baja 2";
      await userEvent.click(screen.getByRole("button", { name }));
      expect(onPress.mock.lastCall?.[0]).toMatchObject({
        type: "out",
        quantity: 6,
        part: { quantity: 2, reason: "broken", notes: "poros" },
      });
    });

    it("stays out of the process to which the others are handed over", async () => {
      open(mayScrap, { maxOut: 6, handOver }, { draft: { part } });
      const name = "Sacar 5 de Vaciado, meter a Engaste y dar de baja 1";
      await userEvent.click(screen.getByRole("button", { name }));
      expect(onPress.mock.lastCall?.[0]).toMatchObject({
        type: "hand-over",
        quantity: 6,
        part: { quantity: 1 },
      });
    });

    it.each([
      [{ ...part, reason: null }, "Toque el motivo de la baja"],
      [{ ...part, pieces: 6 }, "Al menos una pieza debe salir bien"],
      [{ ...part, pieces: "x" }, "Escriba"],
    ])("moves nothing while it is incomplete: %o", (wrong, said) => {
      open(mayScrap, { maxOut: 6, handOver }, { draft: { part: wrong } });
      const presses = screen.getAllByRole("button", { name: /^Sacar/ });
      expect(presses.map((each) => (each as HTMLButtonElement).disabled)).toEqual([true, true]);
      expect(screen.getByRole("region", { name: /^De las 6/ }).textContent).toContain(said);
    });

    it("is forgotten by one touch", async () => {
      open(mayScrap, { maxOut: 6 }, { draft: { part } });
      await userEvent.click(screen.getByRole("button", { name: "Ninguna" }));
      expect(onDraft.mock.lastCall?.[0]).toEqual(EMPTY);
    });
  });

  it("is all that who may not move pieces can do", () => {
    const scan = { line: mayScrap, maxOut: 0, why: { code: "x", message: "No", params: {} } };
    open(aLine({ actions: { ...aLine().actions, scrap } }), scan);
    expect(screen.getByRole("button", { name: "Pieza rota" })).toHaveProperty("disabled", false);
    expect(screen.queryByText(/No se puede mover aquí/)).toBeNull();
  });
});
