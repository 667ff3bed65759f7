// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { PriceColumn, PriceRow } from "@/contract";
import { priceRule } from "@/shared/format/money";
import {
  cellKey,
  changesOf,
  linesOf,
  NO_EDITS,
  pasted,
  rateText,
  readRate,
  withTyped,
  type Cell,
} from "./grid";

const CASTING = 3;
const POLISHING = 4;
const column = (id: number, price: number, unit: "piece" | "gram" = "piece"): PriceColumn => ({
  productionProcessId: id,
  productionProcessName: `Proceso ${id}`,
  unit,
  price,
  currency: "MXN",
  since: null,
  planned: [],
});
const own = (id: number, processId: number, price: number | null, unit: "piece" | "gram") => ({
  id,
  productionProcessId: processId,
  unit,
  price,
  since: "2026-03-14T06:00:00.000Z",
});
const COLUMNS = [column(CASTING, 9.25), column(POLISHING, 4.5)];
const RING: PriceRow = {
  id: 1,
  key: "AN-1",
  name: "Anillo",
  nameEnglish: "",
  prices: [own(10, POLISHING, 3.2, "gram")],
  planned: [own(11, CASTING, 7, "piece")],
};
const NECKLACE: PriceRow = {
  id: 2,
  key: "CO-1",
  name: "Collar",
  nameEnglish: "",
  prices: [],
  planned: [],
};
const LINES = linesOf(COLUMNS, [RING, NECKLACE], "MXN");
const cell = (row: number, col: number): Cell => LINES[row]!.cells[col]!;
const edited = (of: Cell, text: string) => withTyped(NO_EDITS, [{ ...of, text }]);

it.each([
  ["12.50", 12.5, "piece"],
  ["3.20/g", 3.2, "gram"],
  [" 3.20 / gr ", 3.2, "gram"],
  ["3.2/gramos", 3.2, "gram"],
  ["3.2/grams", 3.2, "gram"],
  ["0", 0, "piece"],
  ["", null, "piece"],
  ["12,5", "12,5", "piece"],
  ["3 oz", "3 oz", "piece"],
  ["-1", -1, "piece"],
])("reads %j as a price", (text, price, unit) => {
  expect(readRate(text, priceRule("MXN"))).toEqual({ price, unit });
});

it.each([
  [12.5, "piece", "MXN", "12.50"],
  [3.2, "gram", "MXN", "3.20/g"],
  [1.205, "gram", "MXN", "1.205/g"],
  [0, "piece", "MXN", "0.00"],
  [28, "piece", "CLP", "28"],
  [0.0001, "piece", "CLP", "0.0001"],
  [null, "piece", "MXN", ""],
] as const)("writes %j %s in %s as %j", (price, unit, currency, text) => {
  expect(rateText(price, unit, currency)).toBe(text);
  expect(readRate(text, priceRule(currency)).price).toBe(price);
});

describe("the rows", () => {
  it("begin with that of all products, and show what products without a price of their own earn", () => {
    expect(LINES.map(({ key, cells }) => [key, cells.map(({ saved }) => saved)])).toEqual([
      ["", ["9.25", "4.50"]],
      ["AN-1", ["", "3.20/g"]],
      ["CO-1", ["", ""]],
    ]);
    expect(LINES[1]?.cells.map(({ inherited }) => inherited)).toEqual(["9.25", "4.50"]);
    expect(cell(1, 0).planned.map(({ id }) => id)).toEqual([11]);
    expect(cell(1, 1).planned).toEqual([]);
  });
});

describe("the changes", () => {
  it("are the cells with another price or another unit", () => {
    const edits = withTyped(NO_EDITS, [
      { ...cell(1, 0), text: "7" },
      { ...cell(1, 1), text: "3.2" },
      { ...cell(0, 0), text: "9.250" },
      { ...cell(2, 1), text: "2/g" },
    ]);
    const { changes, wrong } = changesOf(edits, "MXN");
    expect(changes.map(({ edit, price, unit }) => [cellKey(edit), price, unit])).toEqual([
      [`1/${CASTING}`, 7, "piece"],
      [`1/${POLISHING}`, 3.2, "piece"],
      [`2/${POLISHING}`, 2, "gram"],
    ]);
    expect(wrong).toBe(0);
  });

  it("end a product's own price by an empty cell, but not the price of all products", () => {
    expect(changesOf(edited(cell(1, 1), ""), "MXN").changes).toMatchObject([{ price: null }]);
    expect(changesOf(edited(cell(0, 1), " "), "MXN")).toEqual({ changes: [], wrong: 1 });
    expect(changesOf(edited(cell(2, 0), " "), "MXN")).toEqual({ changes: [], wrong: 0 });
  });

  it("leave out what is no price, and say so", () => {
    for (const text of ["12,5", "-1", "mucho", "1.2345678", "9999999999999"]) {
      expect(changesOf(edited(cell(1, 0), text), "MXN")).toEqual({ changes: [], wrong: 1 });
    }
  });

  it("are gone if the cell has its text again", () => {
    const edits = edited(cell(1, 1), "5");
    expect(withTyped(edits, [{ ...cell(1, 1), text: "3.20/g" }]).size).toBe(0);
  });
});

describe("a pasted block", () => {
  it("fills the cells from one on, and stops at the edge of the grid", () => {
    const edits = pasted("1\t2/g\t3\r\n4\t5\r\n6\t7\r\n", LINES, 1, 0);
    expect(edits.map((edit) => [cellKey(edit), edit.text])).toEqual([
      [`1/${CASTING}`, "1"],
      [`1/${POLISHING}`, "2/g"],
      [`2/${CASTING}`, "4"],
      [`2/${POLISHING}`, "5"],
    ]);
  });

  it("keeps what is under a blank, and ends the price under a dash", () => {
    const edits = pasted("\t-\n", LINES, 1, 0);
    expect(edits.map((edit) => [cellKey(edit), edit.text])).toEqual([[`1/${POLISHING}`, ""]]);
  });
});
