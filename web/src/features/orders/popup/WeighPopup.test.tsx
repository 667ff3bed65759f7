/** Weighing a record afterwards: only what was typed is sent, and a refusal stands at its field. */
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { ProcessRecord } from "@/contract";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { aLine, aRecord } from "@/testing/lines";
import { weighRecord } from "../orders.writes";
import { WeighPopup } from "./WeighPopup";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("../orders.api", () => ({ loadLine: async () => aLine() }));
vi.mock("../orders.writes", () => ({ weighRecord: vi.fn<() => void>() }));

const inside: ProcessRecord = { ...aRecord(), weighs: "required", gramsIn: 50 };
const gone: ProcessRecord = { ...inside, outputDate: "2026-03-14T16:00:00Z" };
const onClose = vi.fn<() => void>();

beforeAll(() => startI18n());
beforeEach(() => {
  storeSession(aSession());
  vi.mocked(weighRecord).mockResolvedValue(aLine());
  vi.spyOn(toast, "saved").mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

function show(record: ProcessRecord) {
  render(
    <MemoryRouter>
      <WeighPopup line={aLine()} record={record} onClose={onClose} />
    </MemoryRouter>,
  );
}
// The sign of sending leaves by an animation, which does not end here.
const accept = () => screen.findByRole("button", { name: /Anotar el peso$/ });
const isAsked = (name: string) => screen.queryByLabelText(name) !== null;
const NAMES = ["Peso al entrar", "Peso al salir", "Chatarra"];

it.each([
  ["inside", inside, [true, false, false]],
  ["gone", gone, [true, true, true]],
  ["scrapped", { ...gone, scrapReason: "broken" }, [true, false, true]],
])("asks for the weights that a record that is %s may have", (_, record, asked) => {
  show(record);
  expect(NAMES.map(isAsked)).toEqual(asked);
  expect(screen.getByText("Anotado: 50 g")).toBeTruthy();
});

it("sends what was typed alone, once something was", async () => {
  show(gone);
  expect(await accept()).toHaveProperty("disabled", true);
  await userEvent.type(screen.getByLabelText("Peso al salir"), "49,2");
  await userEvent.type(screen.getByLabelText("Chatarra"), "0");
  await userEvent.click(await accept());
  expect(vi.mocked(weighRecord).mock.lastCall?.slice(2)).toEqual([
    500,
    { gramsOut: 49.2, scrapGrams: 0 },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

it("asks why more was lost than is allowed, as what is typed says", async () => {
  show({ ...gone, allowedLoss: 20 });
  const why = () => screen.queryByLabelText(/^¿Por qué se perdió de más\?/);
  await userEvent.type(screen.getByLabelText("Peso al salir"), "49");
  expect(why()).toBeNull();
  await userEvent.clear(screen.getByLabelText("Peso al salir"));
  await userEvent.type(screen.getByLabelText("Peso al salir"), "48,9");
  await userEvent.type(why()!, "Limadura");
  await userEvent.click(await accept());
  const body = { gramsOut: 48.9, weightReason: "Limadura" };
  expect(vi.mocked(weighRecord).mock.lastCall?.[3]).toEqual(body);
});

it("says at its field why a weight was refused, and asks why it weighs more", async () => {
  const refused = (status: number, code: string, field: string) =>
    new ApiError(status, {
      code,
      message: "Pesa más",
      params: {},
      errors: field === "" ? [] : [{ field, code: "x", message: "No es posible" }],
    });
  vi.mocked(weighRecord).mockRejectedValueOnce(refused(422, "invalid_fields", "gramsOut"));
  show(gone);
  await userEvent.type(screen.getByLabelText("Peso al salir"), "51");
  await userEvent.click(await accept());
  expect(await screen.findByText("No es posible")).toBeTruthy();
  vi.mocked(weighRecord).mockRejectedValueOnce(refused(422, "grams_heavier", ""));
  await userEvent.click(await accept());
  await userEvent.type(await screen.findByLabelText("¿Por qué pesa más?"), "Soldadura");
  await userEvent.click(await accept());
  const body = { gramsOut: 51, weightReason: "Soldadura" };
  expect(vi.mocked(weighRecord).mock.lastCall?.[3]).toEqual(body);
  expect(onClose).toHaveBeenCalledOnce();
});
