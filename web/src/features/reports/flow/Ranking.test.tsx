import { fireEvent, render, screen } from "@testing-library/react";
import { SWRConfig } from "swr";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { Ranking } from "./Ranking";

const row = (id: number, name: string, median: number | null) => ({
  productionProcessId: id,
  productionProcessName: name,
  pieces: 10,
  inside: { count: 1, median, p90: median },
});
vi.stubGlobal(
  "fetch",
  async () =>
    new Response(
      JSON.stringify([row(1, "Pulido", 2), row(2, "Fundición", 26), row(3, "Engaste", null)]),
      { headers: { "Content-Type": "application/json" } },
    ),
);

beforeAll(() => startI18n());

it("puts the slowest process first, leaves out those without a time, and picks one", async () => {
  storeSession(aSession({ permissions: ["Dashboard"] }));
  const onPick = vi.fn<(id: number) => void>();
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Ranking period={{ from: "2026-03-01", to: "2026-03-31" }} onPick={onPick} />
    </SWRConfig>,
  );
  await screen.findByText("1. Fundición");
  const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
  expect(names).toEqual(["1. Fundición", "2. Pulido"]);
  fireEvent.click(screen.getByText("2. Pulido"));
  expect(onPick).toHaveBeenCalledWith(1);
});
