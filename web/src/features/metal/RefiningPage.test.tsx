import { fireEvent, screen, within } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { keepDraft } from "@/shared/form/draft";
import { startI18n } from "@/shared/i18n";
import { showPage, SOON } from "@/testing/pages";
import type { Refining } from "./metal.api";
import RefineDrawer from "./RefineDrawer";
import RefiningPage from "./RefiningPage";

beforeAll(() => startI18n());
beforeEach(() => sessionStorage.clear());

const SENT: Refining = {
  id: 4,
  partner: "Afinadora Luna",
  sentAt: "2026-03-02T15:00:00Z",
  sentBy: "Ana Ruiz",
  alloyId: 3,
  alloyName: "Plata ley 925",
  sentGrams: 80,
  expectedFineGrams: 74,
  returnedAt: null,
  returnedAlloyId: null,
  returnedAlloyName: null,
  returnedGrams: null,
  assay: null,
  returnedFineGrams: null,
  differenceFineGrams: null,
  shares: [
    {
      productionProcessId: 2,
      productionProcessName: "Limado",
      sentGrams: 60,
      expectedFineGrams: 55.5,
      returnedFineGrams: null,
      differenceFineGrams: null,
    },
    {
      productionProcessId: null,
      productionProcessName: null,
      sentGrams: 20,
      expectedFineGrams: 18.5,
      returnedFineGrams: null,
      differenceFineGrams: null,
    },
  ],
};

it("shows what each process put in, and books what comes back", async () => {
  keepDraft("metal/refinings/4/return", 7, {
    over: { alloyId: null, grams: null, assay: null, notes: "" },
    values: { alloyId: 1, grams: 70, assay: 999, notes: "" },
  });
  const back = { ...SENT, returnedAt: "2026-03-09T15:00:00Z" };
  const { asked } = showPage(<RefiningPage />, {
    at: "/operations/metal/refining?record=4",
    permissions: ["ViewMetal", "ManageMetal"],
    answers: {
      "GET /api/metal/refinings": [SENT],
      "GET /api/metal/refinings/4": SENT,
      "POST /api/metal/refinings/4/return": back,
    },
  });
  const shares = await screen.findByRole("region", { name: /^Por proceso/ });
  const rows = within(shares)
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows.slice(1)).toEqual([
    ["Limado", "60 g", "55.5 g", "—", "—"],
    ["Caja de chatarra", "20 g", "18.5 g", "—", "—"],
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Registrar lo devuelto" }));
  fireEvent.click(await screen.findByRole("button", { name: "Recibir en bóveda" }));
  const sent = () => asked.find(({ method }) => method === "POST");
  await vi.waitFor(() => expect(sent()).toBeDefined(), SOON);
  expect(sent()).toMatchObject({
    path: "/api/metal/refinings/4/return",
    body: { alloyId: 1, grams: 70, assay: 999, notes: "" },
  });
});

it("sends the filings of a process and the scrap box", async () => {
  const over = {
    partner: "",
    alloyId: null,
    sources: [{ productionProcessId: null, grams: null }],
    expectedFineGrams: null,
    notes: "",
  };
  const sources = [
    { productionProcessId: 2, grams: 60 },
    { productionProcessId: 0, grams: 20 },
  ];
  const values = { ...over, partner: "Afinadora Luna", alloyId: 3, sources };
  keepDraft("metal/refinings/new", 7, { over, values });
  const onClose = vi.fn<() => void>();
  const { asked } = showPage(<RefineDrawer onClose={onClose} />, {
    answers: { "POST /api/metal/refinings": SENT },
  });
  fireEvent.click(screen.getByRole("button", { name: "Enviar a afinar" }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), SOON);
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    partner: "Afinadora Luna",
    alloyId: 3,
    sources: [
      { productionProcessId: 2, grams: 60 },
      { productionProcessId: null, grams: 20 },
    ],
    expectedFineGrams: null,
    notes: "",
  });
});
