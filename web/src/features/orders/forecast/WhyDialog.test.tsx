import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import i18next from "i18next";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { ForecastReasons, GoesFirst } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { aForecast } from "@/testing/forecasts";
import { aLine } from "@/testing/lines";
import WhyDialog from "./WhyDialog";

const REASONS: ForecastReasons = {
  forecast: aForecast({ onTime: 0.62, risk: "low" }),
  forecastWhy: null,
  where: "in",
  productionProcessId: 2,
  productionProcessName: "Vaciado",
  days: 2,
  likeCount: 9,
  like: [
    {
      salesOrderId: 7,
      position: 3,
      customerSalesOrderId: "PO-7",
      itemName: "Anillo",
      itemNameEnglish: "",
      sameProduct: true,
      days: 4.5,
      doneAt: "2026-02-20T18:00:00.000Z",
    },
  ],
  spent: [
    { where: "out", productionProcessId: 2, productionProcessName: "Vaciado", days: 3 },
    { where: "in", productionProcessId: 3, productionProcessName: "Lijado", days: 0.5 },
  ],
  finished: 40,
  needed: 8,
  kept: [
    {
      day: "2026-03-01",
      p50: "2026-03-10",
      p80: "2026-03-17",
      p90: "2026-03-20",
      due: "2026-03-20",
      onTime: 0.9,
    },
  ],
};
const FIRST: GoesFirst = {
  forecastWhy: null,
  p50: "2026-03-08",
  p80: "2026-03-12",
  gainDays: 7.5,
  onTime: 0.95,
  delayed: [
    {
      salesOrderId: 8,
      position: 1,
      customerSalesOrderId: "PO-8",
      itemName: "Cadena",
      itemNameEnglish: "",
      deliveryDate: "2026-03-09",
      forecast: null,
      days: 0.4,
    },
  ],
  delayedCount: 3,
};

let reasons = REASONS;
let first = FIRST;
vi.mock("../orders.api", () => ({
  useForecastReasons: () => ({ data: reasons, error: undefined, mutate: () => undefined }),
  useGoesFirst: (_order: number, _position: number, asked: boolean) => ({
    data: asked ? first : undefined,
    error: undefined,
    mutate: () => undefined,
  }),
}));

beforeAll(() => startI18n());
beforeEach(() => {
  [reasons, first] = [REASONS, FIRST];
});
afterEach(async () => {
  cleanup();
  await i18next.changeLanguage("es");
});

function show(line = aLine({ deliveryDate: "2026-03-20" })) {
  render(
    <MemoryRouter>
      <WhyDialog line={line} onClose={() => undefined} />
    </MemoryRouter>,
  );
}

const part = (name: string) => within(screen.getByRole("region", { name }));

it("says where the line is, by when it is done, and how likely that is on time", () => {
  show();
  expect(screen.getByText("En Vaciado desde hace 2 días")).toBeDefined();
  expect(
    screen.getByText(
      /^Se termina a más tardar el 2026-03-19 \(4 de 5\); .*el 2026-03-12\. Entre el 2026-03-08 y/,
    ),
  ).toBeDefined();
  expect(screen.getByText(/^62 % de probabilidad/)).toBeDefined();
});

it("names like lines, where they were, and the forecasts of each day", () => {
  show();
  const like = part("Líneas parecidas");
  expect(like.getByRole("link", { name: "PO-7 · 3" }).getAttribute("href")).toContain("/7/");
  expect(like.getByText("4.5 d")).toBeDefined();
  const rows = part("Dónde estuvieron desde entonces").getAllByRole("row").slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "En espera, después de Vaciado3 d",
    "Dentro de Lijado0.5 d",
  ]);
  const kept = part("Lo que se pronosticó cada día");
  expect(kept.getByText("2026-03-01")).toBeDefined();
  expect(kept.getByText(/^a más tardar el 17 mar( 2026)? \(4 de 5\)$/)).toBeDefined();
  expect(part("Lo que se pronosticó cada día").getByText("90 %")).toBeDefined();
});

it("says both the day that was offered and the one that was chosen", () => {
  show(aLine({ offeredDate: "2026-03-15", deliveryDate: "2026-03-20" }));
  expect(
    screen.getByText("Al capturarla se ofreció el 2026-03-15; se eligió el 2026-03-20."),
  ).toBeDefined();
});

it("works out what going first gains only when asked", () => {
  show();
  const what = part("¿Y si va primero?");
  expect(what.queryByText(/días antes/)).toBeNull();
  fireEvent.click(what.getByRole("button", { name: "Calcular" }));
  expect(
    what.getByText("Se terminaría a más tardar el 2026-03-12 (4 de 5): 7 días antes."),
  ).toBeDefined();
  expect(what.getByText(/Retrasaría a 3 líneas/)).toBeDefined();
  expect(what.getByRole("link", { name: "PO-8 · 1" })).toBeDefined();
  expect(what.getByText("y 2 más")).toBeDefined();
});

it("says that going first gains nothing where only work is left", () => {
  first = { ...FIRST, gainDays: 0 };
  show();
  fireEvent.click(screen.getByRole("button", { name: "Calcular" }));
  expect(screen.getByText("No ganaría nada: lo que falta es trabajo, no espera.")).toBeDefined();
});

it.each([
  ["es", "Hay 5 líneas terminadas; hacen falta 8 para pronosticar."],
  ["en", "5 lines are finished; 8 are needed to forecast."],
])("says in %s how many finished lines are missing", async (language, text) => {
  await i18next.changeLanguage(language);
  reasons = { ...REASONS, forecast: null, forecastWhy: "tooFewDone", finished: 5, kept: [] };
  show();
  expect(screen.getByText(text)).toBeDefined();
});

it.each([
  ["es", "Menos de 8 líneas han ido como esta: no bastan para pronosticar."],
  ["en", "Fewer than 8 lines went like this one: not enough to forecast."],
])("says in %s that too few lines were like this one", async (language, text) => {
  await i18next.changeLanguage(language);
  reasons = { ...REASONS, forecast: null, forecastWhy: "tooFewLike" };
  show();
  expect(screen.getByText(text)).toBeDefined();
});

it("shows of a finished line only what was forecast", () => {
  reasons = { ...REASONS, forecast: null, forecastWhy: "finished", like: [], spent: [] };
  show(aLine({ status: "Done" }));
  expect(screen.queryByRole("region", { name: "Líneas parecidas" })).toBeNull();
  expect(screen.getByRole("region", { name: "Lo que se pronosticó cada día" })).toBeDefined();
});
