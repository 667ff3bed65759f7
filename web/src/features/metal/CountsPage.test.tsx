import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { showPage, SOON } from "@/testing/pages";
import CountsPage from "./CountsPage";
import type { InVault, VaultCount } from "./metal.api";

beforeAll(() => startI18n());
beforeEach(() => sessionStorage.clear());

const LOT: InVault = {
  alloyId: 3,
  alloyName: "Plata ley 925",
  lotId: 4,
  supplier: "Casa Fina",
  document: "F-1",
  day: "2026-01-05",
  expectedGrams: 100,
};
const OTHER: InVault = { ...LOT, alloyId: 5, alloyName: "Plata fina", lotId: null };
const COUNT: VaultCount = {
  id: 7,
  slipNumber: 7,
  at: "2026-03-14T23:30:00Z",
  countedById: 1,
  countedBy: "Ana Ruiz",
  witnessId: 8,
  witness: "Luis Vega",
  writtenBy: "Ana Ruiz",
  notes: "",
  alloys: [
    {
      alloyId: 3,
      alloyName: "Plata ley 925",
      expectedGrams: 100,
      countedGrams: 97.5,
      differenceGrams: 2.5,
      fineDifferenceGrams: 2.313,
      reason: "Pesado dos veces",
      lots: [],
    },
  ],
};
const PERSON = [
  { id: 1, name: "Ana Ruiz" },
  { id: 8, name: "Luis Vega" },
];

it("lists the counts with what differed and why", async () => {
  showPage(<CountsPage />, {
    at: "/operations/metal/counts",
    permissions: ["ViewMetal"],
    answers: { "GET /api/metal/counts": [COUNT] },
  });
  const row = (await screen.findByText("Ana Ruiz")).closest("tr")!;
  expect(row.textContent).toContain("Luis Vega");
  expect(row.textContent).toContain("Plata ley 925Faltan2.5 gPesado dos veces");
  expect(within(row).getByRole("button", { name: "Ver comprobante" })).toBeDefined();
  expect(screen.queryByRole("button", { name: /Contar la bóveda/ })).toBeNull();
});

async function choosePerson(label: string, name: string) {
  const field = await screen.findByRole("combobox", { name: label });
  await userEvent.click(field);
  const found = await screen.findAllByText(name);
  await userEvent.click(found.at(-1)!);
}

it("sends the alloys that were weighed, with what the books said", async () => {
  const { asked } = showPage(<CountsPage />, {
    at: "/operations/metal/counts?record=new",
    permissions: ["ViewMetal", "ManageMetal", "ListUsers"],
    answers: {
      "GET /api/metal/counts/expected": [LOT, OTHER],
      "GET /identity/users": PERSON,
      "POST /api/metal/counts": COUNT,
    },
  });
  await choosePerson("Contó", "Ana Ruiz");
  await choosePerson("Segunda persona", "Luis Vega");
  const sterling = await screen.findByRole("group", { name: "Plata ley 925" });
  expect(sterling.textContent).toContain("Según el libro: 100 g");
  fireEvent.change(within(sterling).getByLabelText("Casa Fina · F-1 · 2026-01-05"), {
    target: { value: "970.5" },
  });
  fireEvent.click(screen.getByRole("button", { name: /Guardar el conteo/ }));
  await screen.findByText(
    /Falta el motivo: «Casa Fina · F-1 · 2026-01-05» pesa 870.5 g más que el libro/,
    {},
    SOON,
  );
  fireEvent.change(within(sterling).getByLabelText("Casa Fina · F-1 · 2026-01-05"), {
    target: { value: "97.5" },
  });
  fireEvent.change(within(sterling).getByLabelText("Motivo"), {
    target: { value: "Pesado dos veces" },
  });
  fireEvent.click(screen.getByRole("button", { name: /Guardar el conteo/ }));
  const sent = () => asked.find(({ method }) => method === "POST");
  await vi.waitFor(() => expect(sent()).toBeDefined(), SOON);
  expect(sent()?.body).toEqual({
    countedById: 1,
    witnessId: 8,
    alloys: [
      {
        alloyId: 3,
        reason: "Pesado dos veces",
        lots: [{ lotId: 4, expectedGrams: 100, countedGrams: 97.5 }],
      },
    ],
    notes: "",
  });
});
