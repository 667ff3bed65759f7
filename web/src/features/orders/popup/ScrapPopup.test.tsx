/** Scrap in the office: what is chosen is sent, and what was scrapped is made again. */
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Line } from "@/contract";
import { keepDraft } from "@/shared/form/draft";
import { refusalOf } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { aLine, someInside } from "@/testing/lines";
import { replace, scrap } from "../orders.writes";
import { draftName } from "./PopupFrame";
import ReplacePopup from "./ReplacePopup";
import ScrapPopup from "./ScrapPopup";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("../orders.api", () => ({ loadLine: async () => aLine() }));
vi.mock("../orders.writes", () => ({ scrap: vi.fn<() => void>(), replace: vi.fn<() => void>() }));
vi.mock("@/shared/hooks/useOptions", () => ({
  useShortList: () => ({ rows: [{ id: 1, key: "broken", name: "Pieza rota", active: true }] }),
}));

const HERE = { productionProcessId: 2, productionProcessName: "Vaciado" };
const offer = { ...HERE, type: "out" as const, maxQuantity: 6, weighs: "no" as const };
const inside: Line = aLine({
  inside: [someInside({ quantity: 6 })],
  actions: { ...aLine().actions, scrap: [offer] },
});
const lost: Line = aLine({
  quantityScrapped: 3,
  quantityGood: 7,
  actions: { ...aLine().actions, edit: true },
});
const onClose = vi.fn<() => void>();

beforeAll(() => startI18n());
beforeEach(() => {
  storeSession(aSession());
  vi.mocked(scrap).mockResolvedValue(aLine());
  vi.mocked(replace).mockResolvedValue(aLine());
  vi.spyOn(toast, "saved").mockReturnValue();
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

const show = (popup: ReactNode) => render(<MemoryRouter>{popup}</MemoryRouter>);
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

it("asks for the reason before it scraps", () => {
  show(<ScrapPopup line={inside} onClose={onClose} />);
  const accept = screen.getByRole("button", { name: "Dar de baja 1 pieza de Vaciado" });
  expect(accept).toHaveProperty("disabled", true);
});

it("scraps as many as were typed, for the reason that was chosen", async () => {
  const typed = { chosen: 2, typed: 4, reason: "broken", grams: null, notes: " Cayó " };
  keepDraft(draftName(inside, "scrap"), aSession().user.id, typed);
  show(<ScrapPopup line={inside} onClose={onClose} />);
  await press("Dar de baja 4 piezas de Vaciado");
  const body = { productionProcessId: 2, quantity: 4, reason: "broken", notes: "Cayó" };
  expect(vi.mocked(scrap).mock.lastCall?.[2]).toEqual(body);
  expect(onClose).toHaveBeenCalledOnce();
});

it("sends the weight where the process weighs, as the scale or a person typed it", async () => {
  const weighed = aLine({
    inside: inside.inside,
    actions: { ...inside.actions, scrap: [{ ...offer, weighs: "required" }] },
  });
  const typed = { chosen: 2, typed: 1, reason: "broken", grams: null, notes: "" };
  keepDraft(draftName(weighed, "scrap"), aSession().user.id, typed);
  show(<ScrapPopup line={weighed} onClose={onClose} />);
  const field = screen.getByLabelText("Peso de la baja (gramos)");
  const accept = screen.getByRole("button", { name: "Dar de baja 1 pieza de Vaciado" });
  expect(accept).toHaveProperty("disabled", false);
  await userEvent.type(field, "1,25 oz");
  expect(accept).toHaveProperty("disabled", true);
  await userEvent.clear(field);
  await userEvent.type(field, "1,25");
  await userEvent.type(screen.getByLabelText("Piedras y otros"), "0,2");
  await userEvent.click(accept);
  const sent = { quantity: 1, grams: 1.25, otherGrams: 0.2 };
  expect(vi.mocked(scrap).mock.lastCall?.[2]).toMatchObject(sent);
});

it("asks why pieces weigh more than they entered with, and sends the reason", async () => {
  const weighed = aLine({
    inside: inside.inside,
    actions: { ...inside.actions, scrap: [{ ...offer, weighs: "optional" }] },
  });
  const heavier = { code: "grams_heavier", message: "Sale más metal del que entró" };
  vi.mocked(scrap).mockRejectedValueOnce(refusalOf(422, heavier));
  const typed = { chosen: 2, typed: 1, reason: "broken", grams: 50, notes: "" };
  keepDraft(draftName(weighed, "scrap"), aSession().user.id, typed);
  show(<ScrapPopup line={weighed} onClose={onClose} />);
  expect(screen.queryByLabelText("¿Por qué pesa más?")).toBeNull();
  await press("Dar de baja 1 pieza de Vaciado");
  await userEvent.type(await screen.findByLabelText("¿Por qué pesa más?"), "Soldadura");
  await userEvent.click(screen.getByRole("button", { name: /Dar de baja 1 pieza de Vaciado/ }));
  const sent = { quantity: 1, grams: 50, weightReason: "Soldadura" };
  expect(vi.mocked(scrap).mock.lastCall?.[2]).toMatchObject(sent);
});

it("has all scrapped pieces made again, or fewer", async () => {
  show(<ReplacePopup line={lost} onClose={onClose} />);
  expect(screen.getByRole("button", { name: "Reponer 3 piezas" })).toBeTruthy();
  await press("Una pieza menos");
  await press("Reponer 2 piezas");
  expect(vi.mocked(replace).mock.lastCall?.[2]).toBe(2);
});

it("has nothing made again once others have had it done", () => {
  show(<ReplacePopup line={{ ...lost, quantityReplaced: 3 }} onClose={onClose} />);
  expect(screen.queryByRole("button", { name: /^Reponer/ })).toBeNull();
});
