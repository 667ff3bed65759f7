import { renderHook } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { useReading } from "./useReading";

vi.mock("@/shared/form/OptionsSelect", () => ({ useWholeOptions: () => [], namesOf: () => "" }));

beforeAll(() => startI18n());

it("names a line's fields as its forms do, and returns unknown names verbatim", () => {
  const { result } = renderHook(() => useReading());
  const { field, entity, action } = result.current;
  expect(field(["shippingDate"])).toBe("Envío");
  expect(field(["lossGrams"])).toBe("Merma (g)");
  expect([field(["ofTomorrow"]), entity("quantity"), action("quantity")]).toEqual([
    "ofTomorrow",
    "quantity",
    "quantity",
  ]);
});
