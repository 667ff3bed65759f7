import { render, screen } from "@testing-library/react";
import { SWRConfig } from "swr";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { Calls } from "./Calls";

let answer: unknown[] = [];
const asked: URL[] = [];
vi.stubGlobal("fetch", async ({ url }: Request) => {
  asked.push(new URL(url));
  return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
});

beforeAll(() => startI18n());

const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Calls period={{ from: "2026-03-01", to: "2026-03-31" }} whose={{ itemId: 3 }} />
    </SWRConfig>,
  );

it("shows the calls of each process by kind, with how long they waited", async () => {
  answer = [
    {
      productionProcessId: 2,
      productionProcessName: "Fundición",
      kind: "stop",
      calls: 4,
      answered: 3,
      medianMinutes: 4.5,
    },
    {
      productionProcessId: null,
      productionProcessName: "",
      kind: "question",
      calls: 1,
      answered: 0,
      medianMinutes: null,
    },
  ];
  show();
  await screen.findByText("Fundición");
  const cells = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(cells).toEqual([
    ["Fundición", "Alto", "4", "3", "4.5 min"],
    ["Sin estación", "Pregunta", "1", "0", ""],
  ]);
  expect(asked[0]!.pathname).toBe("/api/reports/calls");
  expect(asked[0]!.searchParams.get("itemId")).toBe("3");
});

it("says that nobody called", async () => {
  answer = [];
  show();
  expect(await screen.findByText("Nadie llamó en estos días")).toBeDefined();
  expect(screen.queryByRole("table")).toBeNull();
});
