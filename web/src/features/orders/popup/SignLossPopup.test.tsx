import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { ProcessRecord } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { aLine, aRecord } from "@/testing/lines";
import { signLoss } from "../orders.writes";
import { SignLossPopup } from "./SignLossPopup";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("../orders.api", () => ({ loadLine: async () => aLine() }));
vi.mock("../orders.writes", () => ({ signLoss: vi.fn<() => void>() }));

const lost: ProcessRecord = {
  ...aRecord(),
  lossGrams: 10,
  lossPerMille: 66.7,
  allowedLoss: 12,
  weightReason: "Cayó limadura",
  lossToSign: true,
};
const onClose = vi.fn<() => void>();

beforeAll(() => startI18n());
beforeEach(() => {
  vi.resetAllMocks();
  storeSession(aSession({ permissions: ["ManageMetal"] }));
});

function show(record: ProcessRecord) {
  render(
    <MemoryRouter>
      <SignLossPopup line={aLine()} record={record} onClose={onClose} />
    </MemoryRouter>,
  );
}

it("says what was lost, what is allowed and why, and signs for it", async () => {
  vi.mocked(signLoss).mockResolvedValue(aLine());
  show(lost);
  expect(screen.getByText("¿Da por buena la merma de 10 g (6.67 %) en Vaciado?")).toBeDefined();
  expect(screen.getByText("permitida 1.2 %")).toBeDefined();
  expect(screen.getByText("Motivo: Cayó limadura")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Firmar la merma" }));
  expect(vi.mocked(signLoss).mock.calls[0]?.[2]).toBe(lost.id);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});

it("says that nobody gave a reason", () => {
  show({ ...lost, weightReason: "" });
  expect(screen.getByText("Nadie dijo el motivo.")).toBeDefined();
});
