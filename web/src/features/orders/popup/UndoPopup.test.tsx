import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aLine, anUndo, aRecord } from "@/testing/lines";
import UndoPopup from "./UndoPopup";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("../orders.api", () => ({ loadLine: async () => aLine() }));
vi.mock("../orders.writes", () => ({ undo: vi.fn<() => void>() }));

beforeAll(async () => {
  await startI18n();
  storeSession(aSession());
});

it.each([1, 5])("says how many lines the undo of a batch takes back (%i)", async (lines) => {
  const line = aLine();
  const offered = { ...line, actions: { ...line.actions, undo: [{ ...anUndo(), lines }] } };
  render(
    <MemoryRouter>
      <UndoPopup line={offered} onClose={() => undefined} />
    </MemoryRouter>,
  );
  await screen.findByText(/Queda como si no se hubiera hecho/);
  const said = screen.queryByText("Deshace la tanda entera: 5 líneas.");
  expect(said !== null).toBe(lines > 1);
});

it("names the scrapped part of an exit apart", async () => {
  const offer = { ...anUndo(), side: "out" as const, scrapped: true };
  const records = [
    { ...aRecord(), press: offer.press, quantity: 8 },
    { ...aRecord(), press: offer.press, quantity: 2, scrapReason: "Pieza rota" },
  ];
  const line = aLine({ productionProcesses: records });
  const offered = { ...line, actions: { ...line.actions, undo: [offer] } };
  render(
    <MemoryRouter>
      <UndoPopup line={offered} onClose={() => undefined} />
    </MemoryRouter>,
  );
  const said = "¿Deshacer la salida de 8 piezas de Vaciado, con baja de 2 piezas?";
  expect(await screen.findByText(said)).toBeTruthy();
});
