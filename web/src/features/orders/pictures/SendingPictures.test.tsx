import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { toast } from "@/shared/ui/toast";
import { sendLinePicture, type LinePicture } from "./linePictures";
import SendingPictures from "./SendingPictures";

vi.mock("./linePictures", () => ({ sendLinePicture: vi.fn<() => Promise<unknown>>() }));

const REASON = "El servidor no pudo leer la imagen.";
const refusal = new ApiError(422, { code: "bad", message: REASON, params: {}, errors: [] });
const PICTURES: LinePicture[] = [1, 2, 3].map((position) => ({
  salesOrderId: 9,
  position,
  itemName: "Anillo",
  file: new File([""], "a.png"),
}));
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeAll(() => startI18n());

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(sendLinePicture).mockReset().mockResolvedValue(undefined);
  return () => vi.useRealTimers();
});

it("says once, 3 s after pictures failed, that they could not be added, and each one's reason beside it", async () => {
  const said = vi.spyOn(toast, "error").mockReturnValue();
  const onDone = vi.fn<() => void>();
  vi.mocked(sendLinePicture).mockRejectedValueOnce(refusal).mockRejectedValueOnce(refusal);
  render(<SendingPictures pictures={PICTURES} onDone={onDone} />);
  await after(0);
  expect(screen.getAllByText(REASON)).toHaveLength(2);
  await after(2_999);
  expect(said).not.toHaveBeenCalled();
  await after(1);
  expect(said.mock.calls).toEqual([["No se pudo cambiar o agregar la imagen"]]);
  expect(onDone).not.toHaveBeenCalled();
});

it("says nothing of a failure where the picture is sent again at once", async () => {
  const said = vi.spyOn(toast, "error").mockReturnValue();
  const onDone = vi.fn<() => void>();
  vi.mocked(sendLinePicture).mockRejectedValueOnce(refusal);
  render(<SendingPictures pictures={PICTURES} onDone={onDone} />);
  await after(1_000);
  fireEvent.click(screen.getByRole("button", { name: "Reintentar" }));
  await after(10_000);
  expect(said).not.toHaveBeenCalled();
  expect(onDone).toHaveBeenCalledOnce();
});

it("says nothing where every picture arrived", async () => {
  const said = vi.spyOn(toast, "error").mockReturnValue();
  const onDone = vi.fn<() => void>();
  render(<SendingPictures pictures={PICTURES} onDone={onDone} />);
  await after(10_000);
  expect(said).not.toHaveBeenCalled();
  expect(onDone).toHaveBeenCalledOnce();
});
