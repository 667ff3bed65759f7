import { act, cleanup, renderHook } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { inTheirLanguage, nameInEnglish, useNamed } from "./names";

beforeAll(() => startI18n());
afterEach(async () => {
  cleanup();
  await act(() => i18next.changeLanguage("es"));
});

const ANSWER = {
  rows: [
    {
      itemName: "Anillo Violeta",
      itemNameEnglish: "Violet ring",
      history: [{ productionProcessId: 2, productionProcessName: "Vaciado" }],
    },
    { itemName: "Dije", itemNameEnglish: "" },
    { productionProcessId: 3, productionProcessName: "Limado", quantity: 4 },
    {
      productionProcessId: 9,
      productionProcessName: "Engaste",
      productionProcessNameEnglish: "Setting",
    },
  ],
};

it("leaves the Spanish names to who reads Spanish", () => {
  act(() => nameInEnglish(new Map([[2, "Casting"]])));
  expect(renderHook(() => useNamed(ANSWER)).result.current).toBe(ANSWER);
});

it("gives the English names at any depth, and the Spanish one where there is none", async () => {
  await act(() => i18next.changeLanguage("en"));
  act(() =>
    nameInEnglish(
      new Map([
        [2, "Casting"],
        [3, ""],
      ]),
    ),
  );
  const { result, rerender } = renderHook(() => useNamed(ANSWER));
  const { rows } = result.current;
  expect(rows[0]).toMatchObject({
    itemName: "Violet ring",
    history: [{ productionProcessName: "Casting" }],
  });
  expect(rows[1]).toBe(ANSWER.rows[1]);
  expect(rows[2]).toBe(ANSWER.rows[2]);
  expect(rows[3]).toMatchObject({ productionProcessName: "Setting" });
  const bail = {
    componentName: "Argolla",
    componentNameEnglish: "Bail",
    materialName: "Plata",
    materialNameEnglish: "",
    materialDescription: "De ley",
    materialDescriptionEnglish: "Sterling",
  };
  expect(inTheirLanguage([bail])).toMatchObject([
    { componentName: "Bail", materialName: "Plata", materialDescription: "Sterling" },
  ]);
  const ring = { id: 1, key: "AN-1", name: "Anillo", nameEnglish: "Ring" };
  expect(inTheirLanguage([ring])).toMatchObject([{ name: "Ring" }]);
  // The form of a process edits both of its names.
  const process = { id: 2, name: "Vaciado", nameEnglish: "Casting" };
  expect(inTheirLanguage(process)).toBe(process);
  const before = result.current;
  rerender();
  expect(result.current).toBe(before);
  act(() => nameInEnglish(new Map([[2, "Investment casting"]])));
  expect(result.current.rows[0]?.history?.[0]?.productionProcessName).toBe("Investment casting");
});
