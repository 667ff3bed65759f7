import { render, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Delivery } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aBill } from "@/testing/bills";
import { aSession } from "@/testing/builders";
import ExportSection from "./ExportSection";

const PAPERS = ["Lista de empaque", "Factura comercial"];
const TERMS = "Términos y cajas";

beforeAll(() => startI18n());
beforeEach(() => storeSession(aSession()));

function show(bill: Partial<Delivery>) {
  render(<ExportSection bill={aBill(bill)} />);
  return screen.getAllByRole("button").map(({ textContent }) => textContent);
}

it("offers no export papers on a bill without a customs regime, and lists nothing that they lack", () => {
  expect(show({ customRegime: "" })).toEqual([TERMS]);
  expect(screen.queryByText("Falta")).toBeNull();
});

const { export: empty } = aBill();

it.each<[string, Partial<Delivery>]>([
  ["a customs regime", { customRegime: "EXD" }],
  ["terms", { customRegime: "", export: { ...empty, incoterm: "FCA" } }],
])("offers export papers on a bill with %s, and lists what they lack", (_, bill) => {
  const buttons = show(bill);
  expect(buttons).toEqual(expect.arrayContaining([TERMS, ...PAPERS]));
  expect(screen.getByText("Falta")).toBeTruthy();
});
