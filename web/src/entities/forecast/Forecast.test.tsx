import { cleanup, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { aForecast } from "@/testing/forecasts";
import { Forecast } from "./Forecast";

let isCustomer = false;
vi.mock("@/shared/session/session", () => ({ useIsCustomer: () => isCustomer }));

beforeAll(() => startI18n());
beforeEach(() => {
  isCustomer = false;
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
    "a más tardar el 19 mar (4 de 5)",
    "Entre el 2026-03-08 y el 2026-03-24: 80 % · 62 % a tiempo",
  ],
  ["en", "by 19 Mar (4 in 5)", "Between 2026-03-08 and 2026-03-24: 80% · 62% on time"],
])("says in %s by which day and, when asked, the range", async (language, days, said) => {
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
  expect(screen.getByText("a más tardar el 12 mar (4 de 5)")).toBeDefined();
  expect(screen.getByTitle("La mitad de las veces, a más tardar el 2026-03-12")).toBeDefined();
  expect(look()).toContain("ob-forecast--unknown");
});

it.each([
  ["es", "2026-03-17", "a más tardar alrededor del 19 mar, 2 días después de lo acordado"],
  ["es", "2026-03-18", "a más tardar alrededor del 19 mar, 1 día después de lo acordado"],
  ["es", "2026-03-19", "a más tardar alrededor del 19 mar"],
  ["en", "2026-03-17", "by about 19 Mar, 2 days after what was agreed"],
])("tells customers in %s about when, and how long after %s", async (language, due, said) => {
  isCustomer = true;
  await i18next.changeLanguage(language);
  const { container } = render(<Forecast forecast={aForecast()} due={due} late />);
  expect(container.textContent).toBe(said);
  expect(container.querySelector("[title]")).toBeNull();
});

it.each([
  ["tooFewLike", "Sin pronóstico: muy pocas líneas han ido como esta"],
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
