import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { signOut, storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { sendLinePicture, type LinePicture } from "./linePictures";
import { dropFailed, sendPictures } from "./sendingPictures";
import SendingPictures from "./SendingPictures";

vi.mock("./linePictures", () => ({ sendLinePicture: vi.fn<() => Promise<unknown>>() }));

const ANA = aSession();
const LUIS = aSession({ user: { ...ANA.user, id: 8 } });
const REASON = "El servidor no pudo leer la imagen.";
const FAILED = "No se pudo cambiar o agregar la imagen";
const refusal = new ApiError(422, { code: "bad", message: REASON, params: {}, errors: [] });
const PICTURES: LinePicture[] = [1, 2, 3].map((position) => ({
  salesOrderId: 9,
  position,
  itemName: "Anillo",
  file: new File([""], "a.jpeg"),
}));
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const sent = () => vi.mocked(sendLinePicture).mock.calls.map(([{ position }]) => position);
const start = () => act(() => sendPictures(PICTURES, ANA.user.id));
const panel = () => screen.queryByRole("complementary", { name: "Enviando las imágenes" });

beforeAll(() => startI18n());

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(sendLinePicture).mockReset().mockResolvedValue(undefined);
  vi.spyOn(toast, "error").mockReturnValue();
  storeSession(ANA);
  return async () => {
    await vi.runAllTimersAsync();
    dropFailed(ANA.user.id);
    vi.useRealTimers();
  };
});

it("starts the first picture at once and each next one 3 s later", async () => {
  render(<SendingPictures />);
  start();
  await after(0);
  expect(sent()).toEqual([1]);
  await after(2_999);
  expect(sent()).toEqual([1]);
  await after(1);
  expect(sent()).toEqual([1, 2]);
  await after(2_999);
  expect(sent()).toEqual([1, 2]);
  await after(1);
  expect(sent()).toEqual([1, 2, 3]);
});

it("does not wait for a picture that takes longer than 3 s", async () => {
  let arrive: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  vi.mocked(sendLinePicture).mockReturnValueOnce(held);
  start();
  await after(3_000);
  expect(sent()).toEqual([1, 2]);
  arrive();
});

it("shows how many are sent, and is gone without an error once all are", async () => {
  render(<SendingPictures />);
  start();
  await after(3_000);
  expect(screen.getByRole("status").textContent).toBe("Imágenes enviadas: 2 de 3");
  await after(3_000);
  expect(panel()).toBeNull();
  expect(toast.error).not.toHaveBeenCalled();
});

it("sends all pictures even if it is unmounted", async () => {
  const { unmount } = render(<SendingPictures />);
  start();
  unmount();
  await after(6_000);
  expect(sent()).toEqual([1, 2, 3]);
});

it("asks before the tab closes only while pictures are unsent", async () => {
  const closes = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  render(<SendingPictures />);
  expect(closes()).toBe(true);
  start();
  expect(closes()).toBe(false);
  await after(6_000);
  expect(closes()).toBe(true);
});

it("shows the reason of a failure at once, and an error toast after 3 s", async () => {
  vi.mocked(sendLinePicture).mockRejectedValueOnce(refusal);
  render(<SendingPictures />);
  start();
  await after(0);
  expect(screen.getByText(REASON)).toBeDefined();
  expect(screen.getByText("Línea 1: Anillo")).toBeDefined();
  await after(2_999);
  expect(toast.error).not.toHaveBeenCalled();
  await after(1);
  expect(vi.mocked(toast.error).mock.calls).toEqual([[FAILED]]);
  await after(10_000);
  expect(screen.getByRole("alert").textContent).toBe("No se pudo enviar 1 imagen");
  fireEvent.click(screen.getByRole("button", { name: "Descartar" }));
  expect(panel()).toBeNull();
});

it("shows no error toast if the picture is sent again in time", async () => {
  vi.mocked(sendLinePicture).mockRejectedValueOnce(refusal);
  render(<SendingPictures />);
  start();
  await after(1_000);
  fireEvent.click(screen.getByRole("button", { name: "Reintentar" }));
  await after(10_000);
  expect(sent()).toEqual([1, 1, 2, 3]);
  expect(toast.error).not.toHaveBeenCalled();
  expect(panel()).toBeNull();
});

it("neither shows nor sends pictures in another user's session, and keeps them for their user", async () => {
  start();
  await after(0);
  signOut();
  storeSession(LUIS);
  const { unmount } = render(<SendingPictures />);
  await after(6_000);
  expect(sent()).toEqual([1]);
  expect(panel()).toBeNull();
  unmount();
  storeSession(ANA);
  render(<SendingPictures />);
  expect(screen.getByRole("alert").textContent).toBe("No se pudieron enviar 2 imágenes");
  fireEvent.click(screen.getByRole("button", { name: "Reintentar" }));
  await after(3_000);
  expect(sent()).toEqual([1, 2, 3]);
});
