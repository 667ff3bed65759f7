import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import type { loadProgress } from "@/entities/printing/runs";
import { storeSession } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import type * as labels from "./labels";
import { keepPaper, keptPaper, type LabelForm, type LabelSource } from "./labels";
import { LabelsButton } from "./LabelsButton";
import LabelsDialog from "./LabelsDialog";

const sent = vi.hoisted(() =>
  vi.fn<(source: LabelSource, form: LabelForm, id: string, signal: AbortSignal) => Promise<void>>(),
);
vi.mock("./labels", async (load) => ({ ...(await load<typeof labels>()), printLabels: sent }));
vi.mock("@/entities/printing/runs", () => ({
  newRunId: () => "one",
  loadProgress: vi.fn<typeof loadProgress>(async () => ({ done: 3, total: 8 })),
}));
vi.mock("@/shared/ui/errors", async (load) => ({
  ...(await load<object>()),
  toastError: vi.fn<typeof toastError>(),
}));

const SOURCE = { documents: [{ salesOrderId: 7, position: 2 }] };
const STANDARD = { width: 50, height: 25, piecesEach: null, copies: 1, language: "es" };

function open(pieces: number[] = [18]) {
  const onClose = vi.fn<() => void>();
  return { onClose, ...render(<LabelsDialog source={SOURCE} pieces={pieces} onClose={onClose} />) };
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const size = (name: string) => screen.getByRole<HTMLInputElement>("radio", { name });

/** Click the words of a choice: its radio button is drawn over by them. */
const choose = (name: string) => userEvent.click(screen.getByText(name));

async function type(name: string, text: string) {
  await userEvent.clear(field(name));
  if (text !== "") await userEvent.type(field(name), text);
}

/** Begin a print that ends when the test says so. */
function underWay() {
  const ends: { done?: () => void; fail?: (reason: Error) => void } = {};
  sent.mockImplementationOnce(
    (_source, _form, _id, signal) =>
      new Promise((resolve, reject) => {
        Object.assign(ends, { done: resolve, fail: reject });
        signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      }),
  );
  return ends;
}

beforeAll(() => startI18n());
beforeEach(() => {
  localStorage.clear();
  sent.mockReset();
  sent.mockResolvedValue();
  vi.mocked(toastError).mockClear();
});

it("prints one label of the smallest size, with all pieces, unless something else is chosen", async () => {
  const said = vi.spyOn(toast, "success").mockReturnValue(undefined);
  const { onClose } = open();
  expect(size("50 × 25").checked).toBe(true);
  await userEvent.click(button("Imprimir 1 etiqueta"));
  expect(sent).toHaveBeenCalledExactlyOnceWith(SOURCE, STANDARD, "one", expect.any(AbortSignal));
  expect(said).toHaveBeenCalledExactlyOnceWith("1 etiqueta lista para imprimir");
  expect(onClose).toHaveBeenCalledOnce();
});

it("says on the button how many labels there will be", async () => {
  open([18, 5]);
  await type("Piezas por etiqueta", "8");
  await type("Copias de cada una", "2");
  await userEvent.click(button("Imprimir 8 etiquetas"));
  expect(sent.mock.calls[0]![1]).toEqual({ ...STANDARD, piecesEach: 8, copies: 2 });
});

it("prints on paper of another size within the limits, and says why others are refused", async () => {
  open();
  await choose("Otra");
  expect(field("Ancho (mm)").value).toBe("50");
  await type("Ancho (mm)", "39");
  expect(button("Imprimir").disabled).toBe(true);
  expect(screen.getByRole("alert").textContent).toContain("40");
  await type("Ancho (mm)", "102");
  await type("Alto (mm)", "152");
  await userEvent.click(button("Imprimir 1 etiqueta"));
  expect(sent.mock.calls[0]![1]).toMatchObject({ width: 102, height: 152 });
});

it("remembers size and language of the last print, but not its pieces and copies", async () => {
  const first = open();
  await choose("100 × 50");
  await choose("English");
  await type("Copias de cada una", "4");
  await userEvent.click(button("Imprimir 4 etiquetas"));
  expect(keptPaper()).toEqual({ width: 100, height: 50, language: "en" });
  first.unmount();
  open();
  expect([size("100 × 50").checked, size("English").checked]).toEqual([true, true]);
  expect([field("Copias de cada una").value, field("Piezas por etiqueta").value]).toEqual([
    "1",
    "",
  ]);
});

it("opens with the free size that was printed last", () => {
  keepPaper({ width: 80, height: 30, language: "es" });
  open();
  expect(size("Otra").checked).toBe(true);
  expect([field("Ancho (mm)").value, field("Alto (mm)").value]).toEqual(["80", "30"]);
});

it("prints no more than 5,000 labels at once, and none without pieces", async () => {
  open([5_001]);
  await type("Piezas por etiqueta", "1");
  expect(button("Imprimir 5,001 etiquetas").disabled).toBe(true);
  expect(screen.getByRole("alert").textContent).toContain("a lo más 5,000");
});

it("says that there is nothing to label", () => {
  open([0]);
  expect(screen.getByText("No hay piezas que etiquetar.")).toBeTruthy();
  expect(button("Imprimir").disabled).toBe(true);
});

it("keeps what was typed and says why, if the print fails", async () => {
  const body = { code: "pdf_unavailable", message: "Está ocupado", params: {}, errors: [] };
  sent.mockRejectedValueOnce(new ApiError(503, body));
  const { onClose } = open();
  await type("Copias de cada una", "3");
  await userEvent.click(button("Imprimir 3 etiquetas"));
  expect(screen.getByRole("alert").textContent).toBe("Está ocupado");
  expect(field("Copias de cada una").value).toBe("3");
  expect([onClose.mock.calls.length, keptPaper()]).toEqual([0, null]);
  await userEvent.click(button(/Imprimir 3 etiquetas$/));
  expect(onClose).toHaveBeenCalledOnce();
});

it("shows the progress of a long print, and stops it", async () => {
  underWay();
  const { onClose } = open();
  await userEvent.click(button("Imprimir 1 etiqueta"));
  expect(await screen.findByText("3 de 8 etiquetas", {}, { timeout: 3_000 })).toBeTruthy();
  await userEvent.click(button("Dejar de imprimir"));
  await waitFor(() => expect(screen.queryByText("3 de 8 etiquetas")).toBeNull());
  expect(sent.mock.calls[0]![3].aborted).toBe(true);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

it("says that it failed after the page was left", async () => {
  const print = underWay();
  const { unmount } = open();
  await userEvent.click(button("Imprimir 1 etiqueta"));
  unmount();
  await act(async () => print.fail?.(new Error("gone")));
  expect(toastError).toHaveBeenCalledOnce();
});

it("is offered to staff who may print work sheets", async () => {
  const { user } = aSession();
  for (const [permissions, userType, offered] of [
    [["PrintWorkSheet"], "Internal", true],
    [["ListOrders"], "Internal", false],
    [["PrintWorkSheet"], "Customer", false],
  ] as const) {
    storeSession(aSession({ permissions: [...permissions], user: { ...user, userType } }));
    const { unmount } = render(<LabelsButton source={SOURCE} pieces={[1]} />);
    expect(screen.queryByRole("button", { name: /^Etiquetas/ }) !== null).toBe(offered);
    unmount();
  }
});
