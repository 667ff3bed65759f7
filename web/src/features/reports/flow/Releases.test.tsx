import { cleanup, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Releases } from "./Releases";

let asked: URL[] = [];
let answer: unknown[] = [];
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

const CASTING = { productionProcessId: 2, productionProcessName: "Fundición" };
const MARCH = { from: "2026-03-01", to: "2026-03-31" };

function show() {
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Releases period={MARCH} whose={{ itemId: 3 }} />
    </SWRConfig>,
  );
}

const cells = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

it("shows each process and reason of the period, even an empty reason", async () => {
  answer = [
    { ...CASTING, reason: "crack", reasonName: "Grieta", releases: 3, pieces: 1200 },
    { ...CASTING, reason: "", reasonName: "", releases: 1, pieces: 4 },
  ];
  show();
  await screen.findByText("Grieta");
  expect(cells()).toEqual([
    ["Fundición", "Grieta", "3", "1,200"],
    ["Fundición", "Sin motivo", "1", "4"],
  ]);
  const [{ pathname, searchParams }] = asked as [URL];
  expect(pathname).toBe("/api/reports/releases");
  expect(Object.fromEntries(searchParams)).toEqual({ ...MARCH, itemId: "3" });
});

it.each([
  ["es", "Liberaciones por motivo", "No se liberó nada en estos días"],
  ["en", "Releases by reason", "Nothing was released on these days"],
])("says in %s that nothing was released", async (language, title, empty) => {
  await i18next.changeLanguage(language);
  answer = [];
  show();
  expect(await screen.findByText(empty)).toBeDefined();
  expect(screen.getByRole("region", { name: title })).toBeDefined();
  expect(screen.queryByRole("table")).toBeNull();
});
