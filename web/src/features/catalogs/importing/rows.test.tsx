import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { ImportRow } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { RowCard } from "./rows";

beforeAll(() => startI18n());
afterEach(cleanup);

const refused = (field: string): ImportRow => ({
  number: 4,
  outcome: "refused",
  key: "Joyas",
  label: "Joyas",
  marks: [],
  changes: [],
  errors: [{ field, code: "invalid", message: "El valor no es válido" }],
  cells: {},
  mended: [],
});
const labels = new Map([
  ["code", "Código"],
  ["addresses", "Domicilios"],
  ["phones", "Teléfonos"],
  ["emails", "Correos"],
  ["commercialAddress", "Domicilio comercial"],
]);

it.each([
  ["code", "Código: El valor no es válido"],
  ["addresses.1.postalCode", "Domicilios 2, Código postal: El valor no es válido"],
  ["addresses.0.kind", "Domicilios 1, Tipo de domicilio: El valor no es válido"],
  ["phones.0.extension", "Teléfonos 1, Extensión: El valor no es válido"],
  ["emails.2", "Correos 3: El valor no es válido"],
  ["commercialAddress.city", "Domicilio comercial, Ciudad: El valor no es válido"],
  ["", "El valor no es válido"],
])("names the refused column %s as the form does", (field, said) => {
  render(<RowCard row={refused(field)} labels={labels} onMend={() => undefined} />);
  expect(screen.getByRole("listitem").textContent).toBe(said);
});

const doce: ImportRow = {
  ...refused("sellPrice"),
  errors: [{ field: "sellPrice", code: "not_a_number", message: "«doce» no es un número" }],
  cells: { sellPrice: "doce" },
};
const prices = new Map([["sellPrice", "Precio de venta"]]);

it("says what is wrong with the value, and sends what is typed instead", async () => {
  const mended = vi.fn<(row: number, cells: Record<string, string>) => void>();
  render(<RowCard row={doce} labels={prices} onMend={mended} />);
  expect(screen.getByText("Precio de venta: «doce» no es un número")).toBeDefined();
  const field = screen.getByRole("textbox", { name: "Precio de venta, fila 4" });
  await userEvent.clear(field);
  await userEvent.type(field, "12");
  expect(mended).not.toHaveBeenCalled();
  await userEvent.tab();
  expect(mended.mock.calls).toEqual([[4, { sellPrice: "12" }]]);
});

it("keeps a corrected cell as a field, with its row now understood", () => {
  const row: ImportRow = {
    ...doce,
    outcome: "new",
    errors: [],
    changes: [{ field: "sellPrice", before: null, after: 12 }],
    cells: { sellPrice: "12" },
    mended: ["sellPrice"],
  };
  render(<RowCard row={row} labels={prices} onMend={() => undefined} />);
  expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("12");
  expect(screen.getByText("Precio de venta: corregida")).toBeDefined();
});

it("offers no field for a row that the user may not write", () => {
  const errors = [{ field: "sellPrice", code: "permission_denied", message: "No tiene permisos" }];
  render(<RowCard row={{ ...doce, errors }} labels={prices} onMend={() => undefined} />);
  expect(screen.queryByRole("textbox")).toBeNull();
});
