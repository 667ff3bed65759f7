import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { expireSession, getSession, storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { toast } from "@/shared/ui/toast";
import ChangePasswordDialog, { changeAndLeave } from "./ChangePasswordDialog";

beforeEach(() => {
  localStorage.clear();
  storeSession(aSession());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  return () => vi.useRealTimers();
});

it("keeps the session for two seconds after the server ended it", async () => {
  const changed = changeAndLeave(async () => {
    expireSession();
    return { changed: true };
  });
  expect(await changed).toBe(true);
  expireSession();
  vi.advanceTimersByTime(1_999);
  expect(getSession()).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(getSession()).toBeNull();
});

it("keeps the session if the server refuses the change", async () => {
  const refused = changeAndLeave(() => Promise.reject(new Error("No.")));
  await expect(refused).rejects.toThrow("No.");
  vi.advanceTimersByTime(3_000);
  expect(getSession()).not.toBeNull();
});

it("ends the session at once if the request failed because it had expired", async () => {
  const refused = changeAndLeave(() => {
    expireSession();
    return Promise.reject(new Error("No."));
  });
  await expect(refused).rejects.toThrow("No.");
  expect(getSession()).toBeNull();
});

it("does nothing while an earlier change is under way", async () => {
  expect(await changeAndLeave(() => Promise.resolve(undefined))).toBe(false);
  vi.advanceTimersByTime(3_000);
  expect(getSession()).not.toBeNull();
});

describe("a refused change", () => {
  beforeAll(async () => {
    vi.useRealTimers();
    await startI18n();
  });

  it.each([403, 500])("shows the generic message and stays open after a %i", async (status) => {
    vi.useRealTimers();
    const body = { code: "x", message: "No tiene permisos", params: {}, errors: [] };
    const headers = { "Content-Type": "application/json" };
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status, headers }));
    const said = vi.spyOn(toast, "error").mockReturnValue();
    const onClose = vi.fn<() => void>();
    render(<ChangePasswordDialog onClose={onClose} />);
    for (const label of ["Contraseña actual", "Contraseña nueva", "Confirmar contraseña nueva"]) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: "Nueva.2026" } });
    }
    fireEvent.click(screen.getByRole("button", { name: "Guardar" }));
    await act(() => vi.waitFor(() => expect(said).toHaveBeenCalled(), { timeout: 10_000 }));
    expect(said.mock.calls).toEqual([["Ocurrió un error, inténtalo de nuevo"]]);
    expect(onClose).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });
});
