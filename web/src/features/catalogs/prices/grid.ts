/**
 * The grid of piece prices: its cells, the typed texts, and the changes to send. Pure functions.
 */
import type { PriceCell, PriceColumn, PriceRow } from "@/contract";
import { minorUnits, priceDecimals, priceRule } from "@/shared/format/money";
import { problemOf, readTyped, type NumberRule, type Typed } from "@/shared/format/typedNumber";

type Unit = PriceCell["unit"];

/** A cell: the price of a process for one product, or for all products if `itemId` is null. */
export interface Cell {
  itemId: number | null;
  processId: number;
  /** The cell's own price as text; "" for none. */
  saved: string;
  /** The price for all products, which applies if the cell has no price of its own. */
  inherited: string;
  planned: readonly PriceCell[];
}

/**
 * A row of the grid: a product, or all products. The row of all products has no key and no name.
 */
export interface Line {
  itemId: number | null;
  key: string;
  name: string;
  cells: Cell[];
}

/** A cell with the text that the user typed. */
export interface Edit extends Cell {
  text: string;
}
export type Edits = ReadonlyMap<string, Edit>;

export const NO_EDITS: Edits = new Map();

export const cellKey = ({ itemId, processId }: Pick<Cell, "itemId" | "processId">) =>
  `${itemId ?? "all"}/${processId}`;

const PER_GRAM = /\s*\/\s*(?:g|gr|gramo|gram)s?\.?\s*$/i;

/** Read a price: "12.50" is per piece, "3.20/g" per gram, "" no price. */
export function readRate(text: string, rule: NumberRule): { price: Typed; unit: Unit } {
  const unit = PER_GRAM.test(text) ? "gram" : "piece";
  return { price: readTyped(text.replace(PER_GRAM, ""), rule), unit };
}

/**
 * Write a price with the decimals of its currency, or with more if it needs more: `12.50`,
 * `3.205/g`.
 */
export function rateText(price: number | null, unit: Unit, currency: string): string {
  if (price === null) return "";
  const [whole = "", fraction = ""] = price.toFixed(priceDecimals(currency)).split(".");
  const decimals = fraction.replace(/0+$/, "").padEnd(minorUnits(currency), "0");
  const number = decimals === "" ? whole : `${whole}.${decimals}`;
  return unit === "gram" ? `${number}/g` : number;
}

/** Return the rows of the grid. The first row is for all products. */
export function linesOf(
  columns: readonly PriceColumn[],
  rows: readonly PriceRow[],
  currency: string,
): Line[] {
  const shared = columns.map(({ price, unit }) => rateText(price, unit, currency));
  const all: Line = {
    itemId: null,
    key: "",
    name: "",
    cells: columns.map(({ productionProcessId: processId, planned }, place) => ({
      itemId: null,
      processId,
      saved: shared[place] ?? "",
      inherited: "",
      planned,
    })),
  };
  const products = rows.map(({ id, key, name, prices, planned }) => ({
    itemId: id,
    key,
    name,
    cells: columns.map(({ productionProcessId: processId }, place) => {
      const own = prices.find((price) => price.productionProcessId === processId);
      return {
        itemId: id,
        processId,
        saved: own === undefined ? "" : rateText(own.price, own.unit, currency),
        inherited: shared[place] ?? "",
        planned: planned.filter((price) => price.productionProcessId === processId),
      };
    }),
  }));
  return [all, ...products];
}

/**
 * Return the rule for the price of a cell. The row of all products needs a price; a product may
 * have none.
 */
export const ruleOf = ({ itemId }: Pick<Cell, "itemId">, currency: string): NumberRule => ({
  ...priceRule(currency),
  optional: itemId !== null,
});

/** Add typed texts to the edits. A text equal to the saved one is no edit. */
export function withTyped(edits: Edits, typed: readonly Edit[]): Edits {
  const next = new Map(edits);
  for (const edit of typed) {
    if (edit.text === edit.saved) next.delete(cellKey(edit));
    else next.set(cellKey(edit), edit);
  }
  return next;
}

/**
 * Return the cells with a changed price, as the server takes them. `wrong`: the number of cells
 * with an invalid price.
 */
export function changesOf(edits: Edits, currency: string) {
  const changes: { edit: Edit; unit: Unit; price: number | null }[] = [];
  let wrong = 0;
  for (const edit of edits.values()) {
    const rule = ruleOf(edit, currency);
    const { price, unit } = readRate(edit.text, rule);
    const before = readRate(edit.saved, rule);
    if (price === before.price && (unit === before.unit || price === null)) continue;
    if (problemOf(price, rule) !== null || typeof price === "string") wrong += 1;
    else changes.push({ edit, unit, price });
  }
  return { changes, wrong };
}

/**
 * Return the cells that a pasted block fills, starting at one cell. A blank leaves a cell
 * unchanged; a dash removes the cell's own price.
 */
export function pasted(text: string, lines: readonly Line[], row: number, col: number): Edit[] {
  const block = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  return block.flatMap((texts, down) =>
    texts.split("\t").flatMap((written, right) => {
      const cell = lines[row + down]?.cells[col + right];
      const typed = written.trim();
      if (cell === undefined || typed === "") return [];
      return [{ ...cell, text: /^[-–—]$/.test(typed) ? "" : typed }];
    }),
  );
}
