import { cleanup, render, screen } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startI18n } from "@/shared/i18n";
import { DataTable, type RowSelection } from "./DataTable";

interface Row {
  id: number;
  name: string;
}

beforeAll(async () => {
  await startI18n();
});
afterEach(async () => {
  cleanup();
  await i18next.changeLanguage("es");
});

function ticks(nameOf?: RowSelection<Row>["nameOf"]): (string | null)[] {
  render(
    <DataTable<Row>
      label="Líneas"
      rowKey={({ id }) => String(id)}
      columns={[{ key: "name", title: "Nombre", render: (_, { name }) => name }]}
      rows={[
        { id: 3, name: "Anillo" },
        { id: 4, name: "Arete" },
      ]}
      total={2}
      empty={null}
      selection={{ keys: ["3"], onChange: () => undefined, ...(nameOf ? { nameOf } : {}) }}
    />,
  );
  return screen.getAllByRole("checkbox").map((box) => box.getAttribute("aria-label"));
}

it("labels each checkbox with its row number", () => {
  expect(ticks()).toEqual(["Seleccionar todo", "Seleccionar la fila 1", "Seleccionar la fila 2"]);
});

it("labels each checkbox with the page's name for the row, in the user's language", async () => {
  await i18next.changeLanguage("en");
  expect(ticks(({ name }) => name)).toEqual(["Select all", "Select Anillo", "Select Arete"]);
});
