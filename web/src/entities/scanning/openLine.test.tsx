import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { toast } from "@/shared/ui/toast";
import { Refused, serve, type Asked } from "@/testing/pages";
import * as feedback from "./feedback";
import { useOpenScanned } from "./openLine";

beforeAll(() => startI18n());

it("answers each scan in its turn by a sound, and says why one is refused until a later one opens its line", async () => {
  const sounds = vi.spyOn(feedback, "answer").mockReturnValue();
  const dismissed = vi.fn<() => void>();
  const stays = vi.spyOn(toast, "stays").mockReturnValue(dismissed);
  let under = 0;
  const most: number[] = [];
  serve({
    "POST /api/scan": async ({ body }: Asked) => {
      under += 1;
      most.push(under);
      await Promise.resolve();
      under -= 1;
      const { code } = body as { code: string };
      if (code === "9-9") return new Refused(422, { code: "unknown_code", message: "No existe" });
      return { salesOrderId: 1, position: Number(code.slice(-1)) };
    },
  });
  const router = (children: ReactNode) => createMemoryRouter([{ path: "*", element: children }]);
  let routed: ReturnType<typeof router> | undefined;
  const { result } = renderHook(useOpenScanned, {
    wrapper: ({ children }) => <RouterProvider router={(routed ??= router(children))} />,
  });
  await act(async () => {
    const first = result.current("1-1");
    const second = result.current("9-9");
    expect(await Promise.all([first, second])).toEqual([true, false]);
  });
  expect(stays).toHaveBeenCalledWith("Se leyó «9-9». No existe");
  expect(dismissed).not.toHaveBeenCalled();
  await act(async () => expect(await result.current("1-3")).toBe(true));
  expect(dismissed).toHaveBeenCalledOnce();
  expect(sounds.mock.calls).toEqual([["yes"], ["no"], ["yes"]]);
  expect(Math.max(...most)).toBe(1);
  expect(routed?.state.location.pathname).toBe("/operations/sales-order/1/position/3");
});
