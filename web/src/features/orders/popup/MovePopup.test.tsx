/** An exit in the office that scraps a part of its pieces by the same press. */
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Line } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { aLine, someInside } from "@/testing/lines";
import { move } from "../orders.writes";
import MovePopup from "./MovePopup";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("../orders.api", () => ({ loadLine: async () => aLine() }));
vi.mock("../orders.writes", () => ({ move: vi.fn<() => void>() }));
vi.mock("@/shared/hooks/useOptions", () => ({
  useShortList: () => ({
    rows: [
      { id: 1, key: "broken", name: "Pieza rota", active: true },
      { id: 2, key: "old", name: "Motivo viejo", active: false },
    ],
  }),
}));

const HERE = { productionProcessId: 2, productionProcessName: "Vaciado" };
const offer = { ...HERE, type: "out" as const, maxQuantity: 6, weighs: "no" as const };
const lineWith = (scrap: Line["actions"]["scrap"]) =>
  aLine({
    inside: [someInside({ quantity: 6 })],
    actions: { ...aLine().actions, movements: [offer], scrap },
  });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));

async function open(scrap: Line["actions"]["scrap"]) {
  render(
    <MemoryRouter>
      <MovePopup line={lineWith(scrap)} onClose={() => {}} />
    </MemoryRouter>,
  );
  await press(/^Vaciado/);
}

beforeAll(() => startI18n());
beforeEach(() => {
  storeSession(aSession());
  vi.mocked(move).mockResolvedValue(aLine());
  vi.spyOn(toast, "saved").mockReturnValue();
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.clearAllMocks();
});

it("sends the good pieces and the scrapped ones by one press", async () => {
  await open([offer]);
  await press("Dar de baja una parte");
  expect(screen.getByRole("button", { name: /^Sacar/ })).toHaveProperty("disabled", true);
  expect(screen.queryByRole("button", { name: "Motivo viejo" })).toBeNull();
  await press("Una más de baja");
  await press("Pieza rota");
  await press("Sacar 4 de Vaciado y dar de baja 2");
  expect(vi.mocked(move).mock.lastCall?.[2]).toEqual({
    type: "out",
    productionProcessId: 2,
    quantity: 6,
    notes: "",
    scrap: { quantity: 2, reason: "broken", notes: "" },
  });
  await vi.waitFor(() => expect(toast.saved).toHaveBeenCalled());
  expect(vi.mocked(toast.saved).mock.lastCall?.[0].name).toContain("Baja de 2 piezas en Vaciado");
});

it("offers it to nobody who may not scrap there", async () => {
  await open([]);
  expect(screen.queryByRole("button", { name: "Dar de baja una parte" })).toBeNull();
  await press("Sacar 6 piezas de Vaciado");
  expect(vi.mocked(move).mock.lastCall?.[2]).not.toHaveProperty("scrap");
});
