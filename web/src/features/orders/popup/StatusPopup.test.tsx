/** The popup of a line's status closes at the press: the line shows what it will be, or why not. */
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Line } from "@/contract";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { aLine } from "@/testing/lines";
import { changeStatus } from "../orders.writes";
import StatusPopup from "./StatusPopup";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("../orders.api", () => ({ loadLine: async () => aLine() }));
vi.mock("../orders.writes", () => ({ changeStatus: vi.fn<() => void>() }));

const line = aLine({ actions: { ...aLine().actions, statuses: ["Approved", "Canceled"] } });
const onClose = vi.fn<() => void>();

beforeAll(() => startI18n());
beforeEach(() => {
  vi.resetAllMocks();
  vi.spyOn(toast, "saved").mockImplementation(() => undefined as never);
  storeSession(aSession());
});

/** Choose Approved and accept; the write is not answered yet. */
async function accepted() {
  let answer = (_line: Line) => {};
  let refuse = (_reason: unknown) => {};
  vi.mocked(changeStatus).mockReturnValue(
    new Promise<Line>((resolve, reject) => {
      answer = resolve;
      refuse = reject;
    }),
  );
  render(
    <MemoryRouter>
      <StatusPopup line={line} onClose={onClose} />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByText("Aprobada"));
  await userEvent.click(screen.getByRole("button", { name: "Aceptar" }));
  return { answer, refuse };
}

it("closes before the answer, and says that it is saved once it is", async () => {
  const { answer } = await accepted();
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(toast.saved).not.toHaveBeenCalled();
  answer(line);
  await waitFor(() => expect(toast.saved).toHaveBeenCalledTimes(1));
});

it("does not say that a refused status is saved", async () => {
  const { refuse } = await accepted();
  const body = { code: "closed", message: "Cerrada", params: {}, errors: [] };
  const said = vi.spyOn(toast, "error").mockImplementation(() => undefined as never);
  refuse(new ApiError(409, body));
  await waitFor(() => expect(said).toHaveBeenCalled());
  expect(toast.saved).not.toHaveBeenCalled();
});
