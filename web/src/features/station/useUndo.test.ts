import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aStation } from "@/testing/floor";
import { aLine, anUndo } from "@/testing/lines";
import { aMovement } from "./queue/aPress";
import { movements } from "./queue/useMovements";
import { useUndo } from "./useUndo";

const worker = { id: 7, fullName: "Ana Ruiz", operatorToken: null };
const part = { quantity: 2, reason: "broken", notes: "" };

it.each([
  ["an exit", { type: "out" as const }, false],
  ["scrap", { type: "scrap" as const }, true],
  ["an exit that scraps a part", { type: "out" as const, part }, true],
  ["a hand-over that scraps a part", { type: "hand-over" as const, part }, true],
])("finds the offer of %s among those of its process", async (_, change, scrapped) => {
  const press = vi.spyOn(movements, "press").mockImplementation(async (made) => aMovement(made));
  const exit = { ...anUndo(), side: "out" as const, recordId: 501 };
  const undo = [
    { ...exit, recordId: 502, scrapped: !scrapped },
    { ...exit, scrapped },
  ];
  const line = aLine({ actions: { ...aLine().actions, undo } });
  const { result } = renderHook(() => useUndo(aStation(), worker));
  expect(await result.current.press(aMovement(change), line)).toBe(true);
  expect(press.mock.lastCall?.[0].undo).toEqual({ recordId: 501 });
});
