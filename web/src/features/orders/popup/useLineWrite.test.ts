import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Line } from "@/contract";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { toast } from "@/shared/ui/toast";
import { aSession } from "@/testing/builders";
import { aLine, aMovement, aRecord } from "@/testing/lines";
import { activityBetween, useLineWrite } from "./useLineWrite";

vi.mock("@/live/useLastByOthers", () => ({ useLastByOthers: () => null }));
vi.mock("../orders.api", () => ({ loadLine: async () => aLine() }));

afterEach(() => vi.restoreAllMocks());

it.each([
  [500, "", "Ocurrió un error, inténtalo de nuevo", undefined],
  [409, "Quedan 3 piezas.", "Quedan 3 piezas.", undefined],
  [403, "No.", "No tiene permisos para realizar esta acción.", 4],
])("shows refusal %i in a toast and in the popup", async (status, message, said, seconds) => {
  await startI18n();
  storeSession(aSession());
  const snackbar = vi.spyOn(toast, "error").mockReturnValue();
  const refusal = new ApiError(status, { code: "x", message, params: {}, errors: [] });
  const write = () => Promise.reject<Line>(refusal);
  const { result } = renderHook(() => useLineWrite(aLine(), write));
  await act(async () => void (await result.current.send()));
  expect(result.current.failure).toBe(said);
  expect(result.current.refusal).toBe(refusal);
  expect(snackbar.mock.calls.map(([text, lasts]) => [text, lasts])).toEqual([[said, seconds]]);
});

const before = aLine({ status: "Approved" });

it("is null while the line is unchanged", () => {
  expect(activityBetween(before, before, null)).toBeNull();
});

it("names the user who moved the line, from its newest record", () => {
  const now = aLine({ version: 5, productionProcesses: [aRecord()] });
  expect(activityBetween(before, now, null)).toMatchObject({ kind: "in", who: "Luis Vega" });
});

it("does not attribute a change of status to an old record", () => {
  const moved = aLine({ productionProcesses: [aRecord()] });
  const now = aLine({ version: 5, status: "Done", productionProcesses: [aRecord()] });
  expect(activityBetween(moved, now, null)).toMatchObject({
    kind: "status",
    status: "Done",
    who: null,
  });
});

it("uses the event of this version, and no older one", () => {
  const now = aLine({ version: 5, status: "Done" });
  const event = { ...aMovement({ status: "Done" }), type: "line.status-changed" as const };
  expect(activityBetween(before, now, event)).toMatchObject({ kind: "status", who: "Luis Vega" });
  const older = aMovement({ version: 4 });
  expect(activityBetween(before, now, older)).toMatchObject({ who: null });
});
