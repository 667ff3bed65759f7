import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Batch, BatchMove } from "@/contract";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { aBatch } from "@/testing/batches";
import { serve } from "@/testing/pages";
import type * as calls from "./batches.api";
import { MoveBatch } from "./MoveBatch";

const sent = vi.hoisted(() => vi.fn<(body: BatchMove) => Promise<Batch>>());
vi.mock("./batches.api", async (load) => ({
  ...(await load<typeof calls>()),
  moveBatch: (_headers: unknown, _batch: unknown, _side: unknown, body: BatchMove) => sent(body),
}));

const refusal = new ApiError(409, {
  code: "batch_refused",
  message: "No se movió ninguna",
  params: {
    lines: [{ lineId: 2, code: "not_inside", message: "No hay piezas dentro", params: {} }],
  },
  errors: [],
});

function open(batch: Batch, side: "in" | "out" = "in") {
  const [onDone, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(<MoveBatch batch={batch} side={side} onDone={onDone} onClose={onClose} />);
  return { onDone, onClose };
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

beforeAll(() => startI18n());
beforeEach(() => {
  serve({});
  sent.mockReset();
});

it("moves all lines by one press, without weights where nothing is weighed", async () => {
  const moved = aBatch({ state: "inside" });
  sent.mockResolvedValue(moved);
  const { onDone } = open(aBatch({ name: "Árbol 3, anillos" }));
  expect(screen.getByRole("dialog", { name: "Tanda 4 · Árbol 3, anillos" })).toBeTruthy();
  expect(screen.getAllByRole("textbox")).toEqual([screen.getByLabelText("Notas")]);
  await userEvent.click(button("Meter 9 a Vaciado"));
  expect(sent).toHaveBeenCalledExactlyOnceWith({ notes: "", leaveOut: [] });
  expect(onDone).toHaveBeenCalledExactlyOnceWith(moved, expect.any(String));
  const pictured = screen.getByRole("list", { name: "Lo que lleva la tanda" });
  expect(pictured.textContent).toContain("PO-1 · línea 1");
});

it("names the line that cannot be moved, and leaves it out only when the user says so", async () => {
  sent.mockRejectedValueOnce(refusal).mockResolvedValueOnce(aBatch({ state: "out" }));
  const { onDone } = open(aBatch({ state: "inside" }), "out");
  await userEvent.click(button("Sacar 9 de Vaciado"));
  expect(screen.getByRole("alert").textContent).toContain("PO-1 · línea 2");
  expect(screen.getByRole("alert").textContent).toContain("No hay piezas dentro");
  expect(onDone).not.toHaveBeenCalled();
  // The sign of sending leaves by an animation, which does not end here.
  await userEvent.click(screen.getByRole("button", { name: /Dejar fuera 1 línea y sacar 6$/ }));
  expect(sent).toHaveBeenLastCalledWith({ notes: "", leaveOut: [2] });
  expect(onDone).toHaveBeenCalledOnce();
});

it("offers no press into the process once every line is refused, but one out of it", async () => {
  const one = { lines: aBatch().lines.slice(1), quantity: 3 };
  sent.mockRejectedValue(refusal);
  open(aBatch(one));
  await userEvent.click(button("Meter 3 a Vaciado"));
  expect(screen.queryByRole("button", { name: /^Dejar fuera/ })).toBeNull();
});

it("asks for the weight that the process requires before it moves", async () => {
  open(aBatch({ weighs: "required", wantedGrams: 141.25 }));
  expect(screen.getByText("141.25 g").closest("p")?.textContent).toBe(
    "Metal sugerido: 141.25 g La cera por el factor de la aleación, más el botón",
  );
  expect(button("Meter 9 a Vaciado").disabled).toBe(true);
});

it("says what the batch loses, and why its weight was refused beside the weight", async () => {
  sent.mockRejectedValue(
    new ApiError(422, { code: "grams_heavier", message: "Pesa más", params: {}, errors: [] }),
  );
  open(aBatch({ state: "inside", weighs: "required", issuedGrams: 85, allowedLoss: 60 }), "out");
  await userEvent.type(screen.getByRole("textbox", { name: /^Peso/ }), "80");
  expect(screen.getByText(/^Merma 5 g/)).toBeTruthy();
  await userEvent.click(button("Sacar 9 de Vaciado"));
  expect(screen.getByRole("alert").textContent).toMatch(/^Pesa más/);
  expect(sent).toHaveBeenCalledExactlyOnceWith({ grams: 80, notes: "", leaveOut: [] });
});

it("moves a tree that is far heavier than suggested once its reason is typed", async () => {
  const message = "420 g es más del doble del metal sugerido por la cera: 42 g";
  sent.mockRejectedValueOnce(
    new ApiError(422, { code: "grams_heavier", message, params: {}, errors: [] }),
  );
  open(aBatch({ weighs: "required", wantedGrams: 42 }));
  await userEvent.type(screen.getByRole("textbox", { name: /^Peso/ }), "420");
  await userEvent.click(button("Meter 9 a Vaciado"));
  expect(screen.getByRole("alert").textContent).toContain(message);
  await userEvent.type(screen.getByLabelText("¿Por qué pesa más?"), "Doble");
  await userEvent.click(screen.getByRole("button", { name: /Meter 9 a Vaciado$/ }));
  const reason = { weightReason: "Doble" };
  expect(sent).toHaveBeenLastCalledWith({ grams: 420, ...reason, notes: "", leaveOut: [] });
});

it("keeps what was typed and says why, if the call fails", async () => {
  sent.mockRejectedValue(
    new ApiError(409, { code: "batch_inside", message: "Ya están dentro", params: {}, errors: [] }),
  );
  open(aBatch());
  await userEvent.type(screen.getByLabelText("Notas"), "Primera colada");
  await userEvent.click(button("Meter 9 a Vaciado"));
  expect(screen.getByRole("alert").textContent).toBe("Ya están dentro");
  expect(screen.getByLabelText<HTMLInputElement>("Notas").value).toBe("Primera colada");
});
