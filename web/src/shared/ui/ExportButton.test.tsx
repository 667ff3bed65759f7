import { cleanup, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { ExportButton } from "./ExportButton";

beforeAll(() => startI18n());
afterEach(async () => {
  cleanup();
  await i18next.changeLanguage("es");
});

const ask = async () => ({ data: new Blob(), response: new Response() });
const button = () => screen.getByRole("button");

it.each([
  [undefined, true, "Exportar"],
  [1, true, "Exportar 1 fila"],
  [1213, true, "Exportar 1,213 filas"],
  [100_000, false, "Exportar más de 100,000 filas"],
])("shows how many rows it exports: %s", (total, exact, said) => {
  render(<ExportButton name="lines" total={total} exact={exact} ask={ask} />);
  expect(button().textContent).toBe(said);
});

it("shows the number of rows in English", async () => {
  await i18next.changeLanguage("en");
  render(<ExportButton name="lines" total={213} ask={ask} />);
  expect(button().textContent).toBe("Export 213 rows");
});

it("is disabled if there is nothing to export", () => {
  render(<ExportButton name="lines" total={0} ask={ask} />);
  expect((button() as HTMLButtonElement).disabled).toBe(true);
  expect(button().textContent).toBe("Exportar");
});
