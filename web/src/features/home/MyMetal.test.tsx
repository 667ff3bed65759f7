import { cleanup, render, screen } from "@testing-library/react";
import { SWRConfig } from "swr";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { MyMetal } from "./MyMetal";

let answer: unknown;
vi.stubGlobal("fetch", async ({ url }: Request) =>
  new URL(url).pathname === "/api/metal/mine"
    ? new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } })
    : new Response(null, { status: 404 }),
);

beforeAll(() => startI18n());
afterEach(cleanup);

const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <MyMetal />
    </SWRConfig>,
  );

const ACCOUNT = {
  id: 4,
  kind: "person",
  name: "",
  userId: 7,
  userName: "Ana Ruiz",
  productionProcessId: 2,
  productionProcessName: "Limado",
  salesOrderId: null,
  position: null,
  batchId: null,
  balances: [{ alloyId: 3, alloyName: "Plata ley 925", grams: 120.5, fineGrams: 111.463 }],
};
const DAY = {
  id: 9,
  day: "2026-03-13",
  productionProcessName: "Limado",
  allowedLoss: 12,
  alloys: [
    {
      alloyId: 3,
      alloyName: "Plata ley 925",
      receivedGrams: 150,
      lossGrams: 2.1,
      lossPerMille: 14,
    },
  ],
};

it("shows what the user holds, and their own loss beside what is allowed", async () => {
  answer = { accounts: [ACCOUNT], days: [DAY] };
  show();
  const section = await screen.findByRole("region", { name: "Mi metal" });
  expect(section.textContent).toContain("LimadoPlata ley 925 120.5 g");
  const loss = screen.getByText("Merma 2.1 g").parentElement!;
  expect(loss.textContent).toBe("Plata ley 925Merma 2.1 g1.4 %permitida 1.2 %");
  expect(loss.className).toContain("ob-doubtful");
});

it("does not mark a loss that is allowed", async () => {
  answer = { accounts: [], days: [{ ...DAY, allowedLoss: 14 }] };
  show();
  const loss = await screen.findByText("Merma 2.1 g");
  expect(loss.parentElement!.className).not.toContain("ob-doubtful");
  expect(screen.getByText("Ahora no tiene metal a su nombre.")).toBeDefined();
});

it("shows nothing to a user who never held metal", async () => {
  let answered = false;
  answer = { accounts: [], days: [] };
  const { container } = render(
    <SWRConfig
      value={{
        provider: () => new Map(),
        onSuccess: () => {
          answered = true;
        },
      }}
    >
      <MyMetal />
    </SWRConfig>,
  );
  await vi.waitFor(() => expect(answered).toBe(true));
  expect(container.textContent).toBe("");
});
