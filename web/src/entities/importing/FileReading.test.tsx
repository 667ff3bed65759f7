import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { FileChoices, FileDoubt, FileRead } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { FileReading } from "./FileReading";

beforeAll(async () => {
  await startI18n();
});
afterEach(cleanup);

const workbook: FileRead = {
  encoding: null,
  sheet: "Enero",
  sheets: [
    { name: "Enero", hidden: false },
    { name: "Vieja", hidden: true },
  ],
  doubts: [],
};

function shown(read: FileRead, choices: FileChoices = {}) {
  const chosen = vi.fn<(choices: FileChoices) => void>();
  render(<FileReading read={read} choices={choices} busy={false} onChoose={chosen} />);
  return chosen;
}

const DOUBTS: [FileDoubt, string, RegExp, FileChoices][] = [
  [
    { code: "encoding", params: { encoding: "mac-roman", likely: "mac-roman", sample: "Latón" } },
    "Se leen bien",
    /Latón/,
    { encoding: "mac-roman" },
  ],
  [
    { code: "other_sheets", params: { sheet: "Enero", others: ["Febrero"] } },
    "Es esta hoja",
    /Febrero/,
    { sheet: "Enero" },
  ],
  [
    { code: "hidden_rows", params: { count: 25, rows: [3, 4], columns: ["Costo"] } },
    "Incluir lo oculto",
    /3, 4, ….*Costo/,
    { includeHidden: true },
  ],
  [
    { code: "footer", params: { count: 1, rows: [9], sample: "TOTAL" } },
    "Son de la lista",
    /9 \(«TOTAL»\)/,
    { includeFooter: true },
  ],
  [
    { code: "formula_values", params: { count: 1, rows: [2] } },
    "Aceptar los valores",
    /fórmulas: 2/,
    { acceptFormulas: true },
  ],
  [
    { code: "altered_values", params: { count: 1, rows: [2], sample: "7.50106E+12" } },
    "Así son",
    /«7.50106E\+12».*2/,
    { acceptAltered: true },
  ],
  [
    { code: "mixed_dates", params: { count: 1, rows: [2], columns: ["C"], sample: "2027-04-03" } },
    "Cambiar día y mes",
    /2027-04-03/,
    { mixedDates: "swap" },
  ],
];

it.each(DOUBTS)("asks about %j and reports the answer", async (doubt, answer, words, choices) => {
  const chosen = shown({ ...workbook, doubts: [doubt] });
  expect(screen.getByRole("group").textContent).toMatch(words);
  await userEvent.click(screen.getByRole("button", { name: answer }));
  expect(chosen.mock.calls).toEqual([[choices]]);
});

it("shows the detected encoding, which the user can change", async () => {
  const chosen = shown({ encoding: "windows-1252", sheet: null, sheets: [], doubts: [] });
  await userEvent.click(screen.getByRole("combobox", { name: "Codificación del texto" }));
  await userEvent.click(screen.getByText("Macintosh"));
  expect(chosen.mock.calls).toEqual([[{ encoding: "mac-roman" }]]);
});

it("offers every sheet, hidden ones too", async () => {
  const chosen = shown(workbook);
  await userEvent.click(screen.getByRole("combobox", { name: "Hoja" }));
  await userEvent.click(screen.getByText("Vieja (oculta)"));
  expect(chosen.mock.calls).toEqual([[{ sheet: "Vieja" }]]);
});

it("names each choice by its own label when both are shown", () => {
  shown({ ...workbook, encoding: "utf-8" });
  const names = ["Codificación del texto", "Hoja"];
  for (const name of names) expect(screen.getByRole("combobox", { name })).toBeDefined();
  const ids = names.map((name) => screen.getByText(name).id);
  expect(new Set(ids).size).toBe(2);
});

it("can exclude rows again that were included", async () => {
  const chosen = shown(workbook, { includeHidden: true });
  await userEvent.click(screen.getByRole("button", { name: "Dejar fuera" }));
  expect(chosen.mock.calls).toEqual([[{ includeHidden: false }]]);
});

it("asks to import the file again if it is no longer available", () => {
  const doubt: FileDoubt = { code: "footer", params: { count: 1, rows: [9], sample: "TOTAL" } };
  const read = { ...workbook, doubts: [doubt] };
  render(<FileReading read={read} choices={{}} busy={false} onChoose={undefined} />);
  expect(screen.getByText("Para responder, importe el archivo de nuevo.")).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Son de la lista" }).disabled).toBe(
    true,
  );
});

it("leaves the doubt about the columns to the columns", () => {
  const doubt: FileDoubt = { code: "columns", params: { unknown: ["Proveedor"] } };
  shown({ ...workbook, sheets: workbook.sheets.slice(0, 1), doubts: [doubt] });
  expect(screen.queryByRole("region")).toBeNull();
});

it("shows nothing for a workbook with one sheet and no doubts", () => {
  shown({ ...workbook, sheets: workbook.sheets.slice(0, 1) });
  expect(screen.queryByRole("region")).toBeNull();
});
