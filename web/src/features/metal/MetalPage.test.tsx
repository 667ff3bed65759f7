import { fireEvent, screen, within } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "@/shared/i18n";
import { showPage, SOON } from "@/testing/pages";
import MetalPage from "./MetalPage";
import type { Account, Total } from "./metal.api";

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
const STERLING = { alloyId: 3, alloyName: "Plata ley 925", grams: 1_200.5, fineGrams: 1_110.463 };
const VAULT: Account = { ...NOWHERE, id: 1, kind: "vault", balances: [STERLING] };
const BENCH: Account = {
  ...NOWHERE,
  id: 2,
  kind: "person",
  userId: 8,
  userName: "Luis Vega",
  productionProcessId: 2,
  productionProcessName: "Limado",
  balances: [{ ...STERLING, grams: 40, fineGrams: 37 }],
};
const BOUGHT: Account = {
  ...NOWHERE,
  id: 3,
  kind: "supplier",
  name: "Metales del Sur",
  balances: [{ ...STERLING, grams: -1_240.5, fineGrams: -1_147.463 }],
};
const TOTALS: Total[] = [
  { kind: "person", balances: BENCH.balances, fineGrams: 37 },
  { kind: "vault", balances: VAULT.balances, fineGrams: 1_110.463 },
];
const ANSWERS = {
  "GET /api/metal/accounts": [VAULT, BENCH, BOUGHT],
  "GET /api/metal/summary": TOTALS,
};

const rowOf = async (name: string) => (await screen.findByRole("link", { name })).closest("tr")!;

it("shows what each account holds, in grams and in fine metal", async () => {
  showPage(<MetalPage />, { permissions: ["ViewMetal"], answers: ANSWERS });
  expect((await rowOf("Bóveda")).textContent).toContain(
    "Plata ley 9251,200.5 gmetal fino 1,110.463 g",
  );
  expect((await rowOf("Luis Vega · Limado")).textContent).toContain("Persona");
  expect((await rowOf("Metales del Sur")).textContent).toContain("-1,240.5 g");
  expect(screen.queryByRole("button", { name: "Recibir lote" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Sacar metal/ })).toBeNull();
  expect(screen.queryByRole("radio", { name: "Cerrar un día" })).toBeNull();
});

it("has one main button and two beside it, and shows heavy weights in kilograms", async () => {
  const heavy = { ...STERLING, grams: -125_000.5, fineGrams: 99_999.999 };
  showPage(<MetalPage />, {
    permissions: ["ViewMetal", "ManageMetal", "ListOrders"],
    answers: { ...ANSWERS, "GET /api/metal/accounts": [{ ...BOUGHT, balances: [heavy] }] },
  });
  expect((await rowOf("Metales del Sur")).textContent).toContain(
    "-125.001 kgmetal fino 99,999.999 g",
  );
  const outside = ["Recibir lote", "Traspasar", "Más"];
  for (const name of outside) expect(screen.getByRole("button", { name })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Fundir" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Más" }));
  const items = (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
  expect(items).toEqual(["Fundir", "Mermas por firmar"]);
});

it("sums each kind in the order of the work, and a click shows its accounts", async () => {
  const { asked } = showPage(<MetalPage />, { permissions: ["ViewMetal"], answers: ANSWERS });
  const totals = await screen.findByRole("list", { name: "Metal por tipo de cuenta" });
  const tiles = within(totals).getAllByRole("button");
  expect(tiles.map(({ textContent }) => textContent)).toEqual([
    "Bóvedametal fino1,110.463 gPlata ley 9251,200.5 g",
    "Personametal fino37 gPlata ley 92540 g",
  ]);
  fireEvent.click(tiles[1]!);
  const kinds = () => asked.map(({ query }) => query["kind"]);
  await vi.waitFor(() => expect(kinds()).toContain("person"), SOON);
  expect(within(totals).getAllByRole("button")[1]!.getAttribute("aria-pressed")).toBe("true");
});

it("lets a holder of ManageMetal take metal out of accounts that it may leave", async () => {
  showPage(<MetalPage />, { permissions: ["ViewMetal", "ManageMetal"], answers: ANSWERS });
  await rowOf("Bóveda");
  const names = screen
    .getAllByRole("button", { name: /^Sacar metal/ })
    .map((button) => button.getAttribute("aria-label"));
  expect(names).toEqual(["Sacar metal de Bóveda", "Sacar metal de Luis Vega · Limado"]);
});
