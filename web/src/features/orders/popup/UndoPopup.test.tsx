import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aLine, anUndo } from "@/testing/lines";
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
