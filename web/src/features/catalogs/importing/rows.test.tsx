import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
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
});

it.each([
  ["code", "Código: El valor no es válido"],
  ["addresses.1.postalCode", "Domicilios 2, Código postal: El valor no es válido"],
  ["addresses.0.kind", "Domicilios 1, Tipo de domicilio: El valor no es válido"],
  ["phones.0.extension", "Teléfonos 1, Extensión: El valor no es válido"],
  ["emails.2", "Correos 3: El valor no es válido"],
  ["commercialAddress.city", "Domicilio comercial, Ciudad: El valor no es válido"],
  ["", "El valor no es válido"],
])("names the refused column %s as the form does", (field, said) => {
  render(<RowCard row={refused(field)} name="customers" />);
  expect(screen.getByRole("listitem").textContent).toBe(said);
});
