import { screen, within } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { showPage } from "@/testing/pages";
import LedgerPage from "./LedgerPage";
import type { AccountReference, Entry } from "./metal.api";

beforeAll(() => startI18n());

const NOWHERE = {
  name: "",
  userId: null,
  userName: null,
  productionProcessId: null,
  productionProcessName: null,
  salesOrderId: null,
  position: null,
  batchId: null,
};
const VAULT: AccountReference = { ...NOWHERE, id: 1, kind: "vault" };
const LINE: AccountReference = {
  ...NOWHERE,
  id: 2,
  kind: "line",
  name: "PO-77",
  salesOrderId: 7,
  position: 3,
};
const ISSUED: Entry = {
  id: 10,
  at: "2026-03-14T15:00:00Z",
  madeAt: null,
  from: VAULT,
  to: LINE,
  alloyId: 3,
  alloyName: "Plata ley 925",
  lotId: 5,
  lotName: "Metales del Sur F-88",
  grams: 12.5,
  fineGrams: 11.563,
  kind: "issue",
  recordId: 500,
  batchId: null,
  personId: 8,
  personName: "Luis Vega",
  byId: 7,
  byName: "Ana Ruiz",
  reason: "",
  notes: "",
  reversesId: null,
  reversed: true,
};
const BACK: Entry = {
  ...ISSUED,
  id: 11,
  at: "2026-03-14T16:00:00Z",
  madeAt: "2026-03-14T15:30:00Z",
  from: LINE,
  to: VAULT,
  kind: "reversal",
  reason: "Liberación",
  reversesId: 10,
  reversed: false,
};
const ANSWERS = {
  "GET /api/metal/entries": [BACK, ISSUED],
  "GET /api/metal/accounts": [
    {
      ...VAULT,
      balances: [{ alloyId: 3, alloyName: "Plata ley 925", grams: 90, fineGrams: 83.25 }],
    },
  ],
};

const cells = async (id: number) => {
  await screen.findAllByText("Luis Vega");
  const row = document.querySelector(`[data-row-key="${id}"]`)!;
  return [...row.children].map(({ textContent }) => textContent);
};

it("shows what moved, why and by whom, and what was taken back", async () => {
  showPage(<LedgerPage />, { at: "/operations/metal/ledger", answers: ANSWERS });
  expect(await cells(10)).toEqual([
    "2026-03-14 09:00",
    "Entrega · revertido",
    "Bóveda",
    "PO-77 · 3",
    "Plata ley 925Lote: Metales del Sur F-88",
    "12.5 g",
    "Luis Vega",
    "Ana Ruiz",
  ]);
  expect((await cells(11)).slice(0, 2)).toEqual([
    "2026-03-14 10:00hecho 2026-03-14 09:30",
    "ReversiónLiberación",
  ]);
});

it("shows the ledger of one account with signs and what it holds", async () => {
  const { asked } = showPage(<LedgerPage />, {
    at: "/operations/metal/ledger?accountId=1&alloyId=3",
    answers: ANSWERS,
  });
  expect((await cells(10))[5]).toBe("−12.5 g");
  expect((await cells(11))[5]).toBe("+12.5 g");
  const account = await screen.findByRole("region", { name: "Bóveda" });
  await within(account).findByText("90 g");
  const { query } = asked.find(({ path }) => path === "/api/metal/entries")!;
  expect(query).toMatchObject({ accountId: "1", alloyId: "3" });
});
