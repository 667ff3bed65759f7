import { cleanup, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aForecast } from "@/testing/forecasts";
import { Forecast } from "./Forecast";

beforeAll(() => startI18n());
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-03-02T18:00:00Z") });
});
afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await i18next.changeLanguage("es");
});

const look = () => screen.getByTitle(/./).className;

it.each([
  [
    "es",
    "12–19 mar · 80 %",
    "Terminada el 2026-03-12 con 50 %, el 2026-03-19 con 80 % · 62 % a tiempo",
  ],
  ["en", "12–19 Mar · 80%", "Done on 2026-03-12 with 50%, on 2026-03-19 with 80% · 62% on time"],
])("says in %s the days and, when asked, the chances", async (language, days, said) => {
  await i18next.changeLanguage(language);
  render(<Forecast forecast={aForecast({ onTime: 0.62, risk: "low" })} />);
  expect(screen.getByText(days)).toBeDefined();
  expect(screen.getByTitle(said).className).toContain("ob-forecast--low");
});

it("says in words that a line is likely late, not by its colour alone", () => {
  render(<Forecast forecast={aForecast({ risk: "high" })} />);
  expect(look()).toContain("ob-forecast--high");
  expect(screen.getByText("Probable retraso:")).toBeDefined();
});

it("does not say that a late line will be late", () => {
  render(<Forecast forecast={aForecast({ risk: "high" })} late />);
  expect(look()).toContain("ob-forecast--high");
  expect(screen.queryByText("Probable retraso:")).toBeNull();
});

it("shows an order's days, which have no chance of their own", () => {
  render(<Forecast forecast={{ p50: "2026-03-12", p80: "2026-03-12", risk: null }} />);
  expect(screen.getByText("12 mar · 80 %")).toBeDefined();
  const said = "Terminada el 2026-03-12 con 50 %, el 2026-03-12 con 80 %";
  expect(screen.getByTitle(said)).toBeDefined();
  expect(look()).toContain("ob-forecast--unknown");
});

it.each([
  ["tooFewDone", "Aún sin pronóstico: hacen falta más líneas terminadas"],
  ["notYet", "El pronóstico se está haciendo"],
] as const)("says why there is none: %s", (why, text) => {
  render(<Forecast forecast={null} why={why} />);
  expect(screen.getByText(text)).toBeDefined();
});

it("shows nothing for a finished line, and nothing without a reason", () => {
  const { container } = render(
    <>
      <Forecast forecast={null} why="finished" />
      <Forecast forecast={null} />
    </>,
  );
  expect(container.textContent).toBe("");
});
