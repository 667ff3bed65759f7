/**
 * Read the rows of a pasted or uploaded spreadsheet: what each column and each row means. Guesses
 * nothing. Pure functions.
 */
import {
  ORDER_HEADS,
  type DoubtCode,
  type FileChoices,
  type FileRead,
  type OfferedProduct,
} from "@/contract";
import { plainLetters } from "@/shared/format/typedDay";
import { PIECES, problemOf } from "@/shared/format/typedNumber";
import { openDoubt } from "@/entities/importing/FileReading";
import {
  dayOrder,
  piecesSign,
  readDay,
  readPieces,
  type Cell,
  type DayOrder,
  type Sign,
} from "./sheetCells";
import { DATES, each as toEach, TEXTS, TEXT_MOST, type DateField, type TextField } from "./values";

export type Column = "item" | "quantity" | DateField | TextField;

export interface SheetRow {
  /** The number of the row in the spreadsheet. */
  number: number;
  cells: Cell[];
  /** The product that the user chose, instead of the one in the cell. */
  chosen?: OfferedProduct;
  /** Doubts about the row from reading the file. */
  marks?: readonly DoubtCode[];
}

/** How the file of a sheet was read, and the user's answers to its doubts. */
export type Reading = FileRead & { choices: FileChoices };

export interface Sheet {
  rows: SheetRow[];
  /** The meaning of each column; null if it is not used. */
  columns: (Column | null)[];
  /** True if headings set the columns, false if their positions did. */
  byHeads: boolean;
  /** The headings; absent in drafts of earlier versions. */
  heads?: string[];
  /** Number of rows above the headings. */
  above: number;
  /** The user's answers if numbers or dates are ambiguous. */
  sign: Sign | null;
  order: DayOrder | null;
  /** How the file was read. Absent for pasted rows. */
  reading?: Reading;
}

const COLUMN_OF: ReadonlyMap<string, Column> = new Map(
  Object.entries(ORDER_HEADS).flatMap(([column, heads]) =>
    heads.map((head) => [head, column as Column] as const),
  ),
);
/** The columns of a sheet without headings. */
const PLACES: readonly Column[] = ["item", "quantity", "deliveryDate", "notes"];
/** Number of rows searched for headings: customers write their name and the date above them. */
const LOOKED_THROUGH = 20;

/**
 * Parse tab-separated text as spreadsheets copy it, without empty rows. A cell with a tab or a line
 * break is quoted; other quotes are part of the cell.
 */
export function readPasted(text: string): SheetRow[] {
  const rows: string[][] = [[]];
  const cell = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]*/y;
  let at = 0;
  while (at < text.length) {
    cell.lastIndex = at;
    const [whole = "", quoted = ""] = cell.exec(text) ?? [];
    rows.at(-1)?.push(/[\t\r\n]|""/.test(quoted) ? quoted.replaceAll('""', '"') : whole);
    at = cell.lastIndex;
    if (text[at] === "\t") {
      at += 1;
      if (at === text.length) rows.at(-1)?.push("");
    } else if (at < text.length) {
      at += text.startsWith("\r\n", at) ? 2 : 1;
      rows.push([]);
    }
  }
  return rows
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ cells }) => cells.some((each) => each.trim() !== ""));
}

/**
 * Find what each column means: by headings in either language, or else by position: product,
 * quantity, delivery, notes.
 */
export function sheetOf(all: readonly SheetRow[], reading?: Reading): Sheet {
  const common = { sign: null, order: null, ...(reading === undefined ? {} : { reading }) };
  const rows = all.filter(({ cells }) => cells.some((cell) => textOf(cell) !== ""));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const at = rows
    .slice(0, LOOKED_THROUGH)
    .findIndex(({ cells }) => headsOf(cells).filter((head) => head !== null).length >= 2);
  const found = at < 0 ? matrixOf(rows) : { at, heads: headsOf(rows[at]!.cells) };
  if (found !== null) {
    return {
      ...common,
      rows: rows.slice(found.at + 1),
      // Columns beyond the last heading can be assigned too.
      columns: Array.from({ length: width }, (_, place) => found.heads[place] ?? null),
      byHeads: true,
      heads: rows[found.at]!.cells.map(textOf),
      above: found.at,
    };
  }
  const columns = Array.from({ length: width }, (_, place) => PLACES[place] ?? null);
  return { ...common, rows, columns, byHeads: false, above: 0 };
}

/** Return the meaning of each heading. If two are the same, the first one counts. */
function headsOf(cells: readonly Cell[]): (Column | null)[] {
  const seen = new Set<Column>();
  return cells.map((cell) => {
    const column = typeof cell === "string" ? (COLUMN_OF.get(plain(cell)) ?? null) : null;
    if (column === null || seen.has(column)) return null;
    seen.add(column);
    return column;
  });
}

const TOTAL = /^total(?: (?:pza?s|piezas|pcs|pieces|units|unidades))?$/;

/**
 * Find the headings of a size matrix: a product, then a column of pieces for each size. The quantity is a column named
 * Total, if it is the sum of the sizes in every row; else the user says what it is.
 */
function matrixOf(rows: readonly SheetRow[]): { at: number; heads: (Column | null)[] } | null {
  for (const [at, { cells }] of rows.slice(0, LOOKED_THROUGH).entries()) {
    const heads = headsOf(cells);
    const item = heads.indexOf("item");
    const below = rows.slice(at + 1).filter((row) => textOf(row.cells[item]) !== "");
    const pieces = cells.flatMap((head, place) => {
      const isNamed = place !== item && textOf(head) !== "";
      return isNamed && below.every((row) => countOf(row.cells[place]) !== null) ? [place] : [];
    });
    if (item < 0 || below.length === 0 || pieces.length < 2) continue;
    const total = pieces.find((place) => TOTAL.test(plain(textOf(cells[place]))));
    const sizes = pieces.filter((place) => place !== total);
    const isProved =
      total !== undefined &&
      sizes.length > 1 &&
      below.every(
        (row) =>
          countOf(row.cells[total]) ===
          sizes.reduce((sum, place) => sum + (countOf(row.cells[place]) ?? 0), 0),
      );
    if (isProved) heads[total] = "quantity";
    return { at, heads };
  }
  return null;
}

/** Return the pieces in a cell, 0 for a blank one; null for anything else. */
function countOf(cell: Cell | undefined): number | null {
  if (cell === undefined || textOf(cell) === "")
    return typeof cell === "object" && cell !== null ? null : 0;
  const pieces = readPieces(cell, null);
  return typeof pieces === "number" ? pieces : null;
}

/** Return the headings that share their column with another heading. */
export function headsTwice({ heads = [] }: Sheet): string[] {
  const meanings = heads.map((head) => COLUMN_OF.get(plain(head)));
  return heads.filter((_, place) => {
    const meaning = meanings[place];
    return meaning !== undefined && meanings.filter((each) => each === meaning).length > 1;
  });
}

/** Lower-case text without accents and punctuation. */
export function plain(text: string): string {
  return plainLetters(text.replaceAll(/[.:#*_]+/g, " "));
}

export function textOf(cell: Cell | undefined): string {
  return cell === undefined || cell === null || typeof cell === "object" ? "" : String(cell).trim();
}

export function cellOf(sheet: Pick<Sheet, "columns">, row: SheetRow, column: Column): Cell {
  const place = sheet.columns.indexOf(column);
  return place < 0 ? null : (row.cells[place] ?? null);
}

/**
 * Return each product text of the sheet once, to look them up in one request. Rows with a chosen
 * product are left out.
 */
export function productsNamed(sheet: Sheet): string[] {
  const named = sheet.rows
    .filter(({ chosen }) => chosen === undefined)
    .map((row) => textOf(cellOf(sheet, row, "item")));
  return [...new Set(named)].filter((text) => text !== "" && text.length <= 200);
}

/** Why a cell is refused. `other`: its text, or the length of a text that is too long. */
export interface Refusal {
  column: Column;
  why:
    | "itemMissing"
    | "itemUnknown"
    | "itemSeveral"
    | "quantityMissing"
    | "quantityNotNumber"
    | "quantityNotWhole"
    | "quantityRange"
    | "quantitySign"
    | "dayWrong"
    | "dayOrder"
    | "tooLong"
    | "formula"
    | "unreadable";
  other?: string;
}

export interface Judged extends Record<TextField, string> {
  row: SheetRow;
  item: OfferedProduct | null;
  /** The products that the text matches, if there are several. */
  several: OfferedProduct[];
  quantity: number | null;
  dates: Record<DateField, string>;
  refusals: Refusal[];
  /** The open doubt that keeps the row out; null if there is none. */
  leftOut: DoubtCode | null;
}

/** The products that each text of the sheet matches. */
export type Called = ReadonlyMap<string, readonly OfferedProduct[]>;

/**
 * Tell what each row means. Number and date formats come from the user's answers, or else from the
 * whole sheet.
 */
export function judge(sheet: Sheet, called: Called): Judged[] {
  const texts = (columns: readonly Column[]) =>
    sheet.rows.flatMap((row) => columns.map((column) => cellOf(sheet, row, column)));
  const sign = sheet.sign ?? piecesSign(texts(["quantity"]));
  const order = sheet.order ?? dayOrder(texts(DATES));
  return sheet.rows.map((row) => judgeRow(sheet, row, called, sign, order));
}

function judgeRow(
  sheet: Sheet,
  row: SheetRow,
  called: Called,
  sign: Sign | null,
  order: DayOrder | null,
): Judged {
  const refusals: Refusal[] = [];
  const refuse = (column: Column, why: Refusal["why"], other?: string) =>
    refusals.push({ column, why, ...(other === undefined ? {} : { other }) });
  const unread = (column: Column): boolean => {
    const cell = cellOf(sheet, row, column);
    if (typeof cell !== "object" || cell === null) return false;
    refuse(column, cell.code === "formula_not_read" ? "formula" : "unreadable");
    return true;
  };

  const several: OfferedProduct[] = [];
  let item: OfferedProduct | null = row.chosen ?? null;
  if (item === null && !unread("item")) {
    const text = textOf(cellOf(sheet, row, "item"));
    const found = called.get(text) ?? [];
    if (text === "") refuse("item", "itemMissing");
    else if (found.length === 0) refuse("item", "itemUnknown", text);
    else if (found.length === 1) item = found[0]!;
    else {
      several.push(...found);
      refuse("item", "itemSeveral", text);
    }
  }

  let quantity: number | null = null;
  if (!unread("quantity")) {
    const cell = cellOf(sheet, row, "quantity");
    const read = readPieces(cell, sign);
    if (typeof read === "string") refuse("quantity", read, textOf(cell));
    else if (problemOf(read, PIECES) === null) quantity = read;
    else refuse("quantity", "quantityRange", textOf(cell));
  }

  const dates = toEach(DATES, () => "");
  for (const field of DATES) {
    if (unread(field)) continue;
    const cell = cellOf(sheet, row, field);
    const read = readDay(cell, order);
    if (read.day === undefined) refuse(field, read.why, textOf(cell));
    else dates[field] = read.day;
  }

  const texts = toEach(TEXTS, (field) => {
    const text = unread(field) ? "" : textOf(cellOf(sheet, row, field));
    if (text.length > TEXT_MOST[field]) refuse(field, "tooLong", String(text.length));
    return text;
  });
  const leftOut = openDoubt(row.marks ?? [], sheet.reading?.doubts ?? []);
  return { row, item, several, quantity, dates, ...texts, refusals, leftOut };
}

/** Return the sheet with another text in one cell. A missing column is added. */
export function withCell(sheet: Sheet, row: SheetRow, column: Column, text: string): Sheet {
  const found = sheet.columns.indexOf(column);
  const place = found < 0 ? sheet.columns.length : found;
  const cells = Array.from(
    { length: Math.max(row.cells.length, place + 1) },
    (_, at) => row.cells[at] ?? null,
  );
  cells[place] = text;
  return {
    ...sheet,
    columns: found < 0 ? [...sheet.columns, column] : sheet.columns,
    rows: sheet.rows.map((one) => (one === row ? { ...row, cells } : one)),
  };
}

/**
 * Return the sheet with a product chosen for a row, and for each other row with the same text and
 * no product yet.
 */
export function withProduct(
  sheet: Sheet,
  row: SheetRow,
  chosen: OfferedProduct,
  called: Called,
): Sheet {
  const text = textOf(cellOf(sheet, row, "item"));
  const isOpen = text !== "" && called.get(text)?.length !== 1;
  return {
    ...sheet,
    rows: sheet.rows.map((each) => {
      const isAlike =
        isOpen && each.chosen === undefined && textOf(cellOf(sheet, each, "item")) === text;
      return each === row || isAlike ? { ...each, chosen } : each;
    }),
  };
}
