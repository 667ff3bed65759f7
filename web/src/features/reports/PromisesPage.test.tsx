import { cleanup, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { MemoryRouter } from "react-router";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Promises } from "@/contract";
import { startI18n } from "@/shared/i18n";
import PromisesPage from "./PromisesPage";

let asked: URL[] = [];
let answer: Promises[] = [];
vi.stubGlobal("fetch", async ({ url }: Request) => {
  asked.push(new URL(url));
  return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
});

beforeAll(() => startI18n());
beforeEach(() => {
  asked = [];
});
afterEach(async () => {
  cleanup();
  await i18next.changeLanguage("es");
});

const MARCH: Promises = {
  month: "2026-03-01",
  lines: 1_200,
  forecasts: 9_000,
  kept50: 52.4,
  kept80: 78.6,
  kept90: null,
  foreseen: 900,
  lines50: 55,
  lines80: 81.2,
  lines90: null,
  promised: 40,
  promisedKept: 30,
  open: 4,
  offered: 0,
  offeredKept: 0,
};

function show(address = "/reports/promises?from=2026-03-01&to=2026-03-31") {
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <MemoryRouter initialEntries={[address]}>
        <PromisesPage />
      </MemoryRouter>
    </SWRConfig>,
  );
}

it("shows of each month how much came true", async () => {
  answer = [MARCH];
  show();
  await screen.findByText("2026-03");
  const [, row] = screen.getAllByRole("row");
  const cells = [...row!.children].map(({ textContent }) => textContent);
  expect(cells).toEqual([
    "2026-03",
    "1,200",
    "75\u00a0%30 de 40 · 4 abiertas",
    "—",
    "79\u00a0%por línea 81\u00a0%",
    "52\u00a0%por línea 55\u00a0%",
    "—",
  ]);
  const [{ pathname, searchParams }] = asked as [URL];
  expect(pathname).toBe("/api/reports/promises");
  expect(Object.fromEntries(searchParams)).toEqual({ from: "2026-03-01", to: "2026-03-31" });
});

it("asks for the last twelve months if the address names no days", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-04-11T18:00:00Z"), toFake: ["Date"] });
  answer = [];
  show("/reports/promises");
  await screen.findByText("Nada se prometió para estos días");
  expect(Object.fromEntries(asked[0]!.searchParams)).toEqual({
    from: "2025-05-01",
    to: "2026-04-11",
  });
  vi.useRealTimers();
});

it.each([
  ["es", "Prometido y cumplido", "Nada se prometió para estos días"],
  ["en", "Promised and kept", "Nothing was promised for these days"],
])("says in %s that nothing was done", async (language, title, empty) => {
  await i18next.changeLanguage(language);
  answer = [];
  show();
  expect(await screen.findByText(empty)).toBeDefined();
  expect(screen.getByRole("heading", { name: title, level: 1 })).toBeDefined();
});
