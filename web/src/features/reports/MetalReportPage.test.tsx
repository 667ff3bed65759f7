import { fireEvent, screen, within } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { showPage } from "@/testing/pages";
import MetalReportPage from "./MetalReportPage";

beforeAll(() => startI18n());

const STERLING = { alloyId: 3, alloyName: "Plata ley 925" };
const FILING = { productionProcessId: 2, productionProcessName: "Limado" };
const LOSS = {
  ...STERLING,
  ...FILING,
  itemId: 5,
  itemKey: "AN-1",
  itemName: "Anillo",
  records: 3,
  pieces: 40,
  inGrams: 200,
  addedGrams: 1.5,
  outGrams: 195,
  scrapGrams: 2,
  lossGrams: 4.5,
  fineLossGrams: 4.163,
  lossPerMille: 22.3,
  allowedLoss: 12,
  above: true,
  betweenGrams: 0.5,
};
const ANSWERS = {
  "GET /api/reports/metal-loss": {
    rows: [LOSS, { ...LOSS, itemId: 6, itemName: "Arete", allowedLoss: null, above: false }],
    total: {
      fineGrams: 372.775,
      fineLossGrams: 8.325,
      lossPerMille: 22.3,
      fineBetweenGrams: 0.925,
    },
  },
  "GET /api/reports/metal-to-recover": {
    rows: [
      { ...STERLING, ...FILING, kind: "dust", grams: 30, fineGrams: 27.75 },
      {
        ...STERLING,
        kind: "scrap",
        productionProcessId: null,
        productionProcessName: null,
        grams: 10,
        fineGrams: 9.25,
      },
    ],
    fineGrams: 37,
  },
  "GET /api/reports/metal-refinery": {
    rows: [],
    expectedFineGrams: 0,
    returnedFineGrams: 0,
    differenceFineGrams: 0,
  },
};

async function rowsOf(title: string) {
  const part = await screen.findByRole("region", { name: title });
  await within(part).findByRole("table");
  return within(part)
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent));
}

it("shows losses beside the allowance, and sums fine metal alone", async () => {
  const { asked } = showPage(<MetalReportPage />, {
    at: "/reports/metal?from=2026-03-01&to=2026-03-31&alloyId=3",
    permissions: ["ViewMetal"],
    answers: ANSWERS,
  });
  const [, ring, earring, sum] = await rowsOf("Merma frente a lo permitido");
  expect(ring).toEqual([
    "Limado",
    "Anillo",
    "Plata ley 925",
    "40",
    "200 g+ 1.5 g",
    "195 g",
    "2 g",
    "4.5 g",
    "4.163 g",
    "22.3 ‰sobre lo permitido",
    "12 ‰",
    "0.5 g",
  ]);
  expect(earring?.slice(-3)).toEqual(["22.3 ‰", "—", "0.5 g"]);
  expect(sum).toEqual(["Suma en fino", "", "372.775 g", "", "8.325 g", "22.3 ‰", "", "0.925 g"]);
  const loss = asked.find(({ path }) => path.endsWith("metal-loss"));
  expect(loss?.query).toEqual({ from: "2026-03-01", to: "2026-03-31", alloyId: "3" });
  expect(screen.queryByText(/persona/i)).toBeNull();
});

it("shows what is to recover, and that nothing was sent to be refined", async () => {
  const { asked } = showPage(<MetalReportPage />, {
    at: "/reports/metal?from=2026-03-01&to=2026-03-31",
    permissions: ["ViewMetal"],
    answers: ANSWERS,
  });
  expect((await rowsOf("Por recuperar")).slice(1)).toEqual([
    ["Limadura", "Limado", "Plata ley 925", "30 g", "27.75 g"],
    ["Caja de chatarra", "—", "Plata ley 925", "10 g", "9.25 g"],
    ["Suma en fino", "", "37 g"],
  ]);
  const refinery = screen.getByRole("region", { name: "Afinadora frente al libro" });
  await within(refinery).findByText("Nada se envió a afinar en estos días");
  const sent = asked.find(({ path }) => path.endsWith("metal-refinery"));
  expect(sent?.query).toEqual({ from: "2026-03-01", to: "2026-03-31" });
});

it("prints", async () => {
  const print = vi.spyOn(window, "print").mockImplementation(() => undefined);
  showPage(<MetalReportPage />, { permissions: ["ViewMetal"], answers: ANSWERS });
  fireEvent.click(screen.getByRole("button", { name: "Imprimir" }));
  expect(print).toHaveBeenCalledOnce();
});
