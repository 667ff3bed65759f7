/**
 * Read pieces and days as spreadsheets write them. A whole column settles what a single cell leaves
 * open. Pure functions.
 */
import { dayOf, plainLetters, writtenDay } from "@/shared/format/typedDay";

/**
 * A cell as the server reads it from a file. Pasted cells are strings. An object is a cell that
 * could not be read.
 */
export type Cell = string | number | boolean | { code: string } | null;

/** The thousands separator. */
export type Sign = "," | ".";
export type DayOrder = "dayFirst" | "monthFirst";

const WHOLE = /^\d+$/;
/** A unit that means pieces. Pairs and dozens do not. */
const UNIT = /(?<=\d)\s*(?:pza?s?|piezas?|pcs?|pieces?|ea|uds?|unidad(?:es)?|units?)\.?$/i;
/** 1 200 and 1 200 000: blanks between thousands. */
const BLANKS = /^\d{1,3}(?:\s\d{3})+(?=[.,]|$)/;
/** 1,200 and 1.200: ambiguous, thousands or a fraction. */
const OPEN = /^\d{1,3}([.,])\d{3}$/;
/** 1,200,000 and 1,200.00 and 1.200,5: the thousands separator is certain. */
const SURE = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$|^\d{1,3}([.,])\d{3}(?:\2\d{3})*(?!\2)[.,]\d+$/;
/** 2.5 and 12,00: the separator is the decimal one. */
const FRACTION = /^\d+([.,])(?!\d{3}$)\d+$|^\d{4,}([.,])\d+$|^0([.,])\d+$/;

/**
 * Return the thousands separator that a column of quantities proves; null if it proves none, or
 * both.
 */
export function piecesSign(cells: readonly Cell[]): Sign | null {
  const proved = new Set<Sign>();
  for (const cell of cells) {
    const text = typeof cell === "string" ? piecesText(cell) : "";
    const sure = SURE.exec(text);
    const fraction = sure === null ? FRACTION.exec(text) : null;
    const sign = sure?.[1] ?? sure?.[2];
    const point = fraction?.[1] ?? fraction?.[2] ?? fraction?.[3];
    if (sign !== undefined) proved.add(sign as Sign);
    if (point !== undefined) proved.add(point === "." ? "," : ".");
  }
  return proved.size === 1 ? ([...proved][0] ?? null) : null;
}

type WhyNoPieces = `quantity${"Missing" | "NotNumber" | "NotWhole" | "Sign"}`;

/** Read a number of pieces, or return why it is invalid. "1,200" needs a known separator. */
export function readPieces(cell: Cell, sign: Sign | null): number | WhyNoPieces {
  if (typeof cell === "number") return Number.isInteger(cell) ? cell : "quantityNotWhole";
  if (typeof cell !== "string" || cell.trim() === "") {
    return cell === null || cell === "" || typeof cell === "string"
      ? "quantityMissing"
      : "quantityNotNumber";
  }
  const text = piecesText(cell);
  if (WHOLE.test(text)) return Number(text);
  if (!/^\d[\d.,]*$/.test(text)) return "quantityNotNumber";
  if (OPEN.test(text) && sign === null) return "quantitySign";
  const thousands = sign ?? signOf(text);
  const point = thousands === "," ? "." : ",";
  const [whole = "", ...rest] = text.split(point);
  const grouped = thousands === "," ? /^\d{1,3}(,\d{3})+$/ : /^\d{1,3}(\.\d{3})+$/;
  if (rest.length > 1 || !(WHOLE.test(whole) || grouped.test(whole))) return "quantityNotNumber";
  if (rest.some((places) => !/^0*$/.test(places))) return "quantityNotWhole";
  return Number(whole.replaceAll(thousands, ""));
}

/** Return a quantity without its unit and without blanks between thousands: `1 200 pzas` is 1200. */
function piecesText(cell: string): string {
  const text = cell.trim().replace(UNIT, "");
  return text.replace(BLANKS, (digits) => digits.replaceAll(/\s/g, ""));
}

/** Return the thousands separator that a single number proves; a comma if it proves none. */
function signOf(text: string): Sign {
  return piecesSign([text]) ?? ",";
}

/** A time after a day, which is ignored. */
const TIME =
  /[\sT,]+\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*([ap]\.?\s?m\.?)?\s*(z|[+-]\d{2}:?\d{2})?$/i;
const DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
/** Days since 1899-12-30, as spreadsheets count them. The years 2020 to 2049 are accepted. */
const FIRST_NUMBER = 43_831;
const LAST_NUMBER = 54_788;
const DAY_ZERO = Date.UTC(1899, 11, 30);
const MILLISECONDS = 86_400_000;

/**
 * Return whether the day or the month comes first in a column; null if it proves neither, or both.
 */
export function dayOrder(cells: readonly Cell[]): DayOrder | null {
  const proved = new Set<DayOrder>();
  for (const cell of cells) {
    const text = typeof cell === "string" ? withoutTime(cell.trim()) : "";
    const [, first, second] = DAY.exec(text) ?? [];
    if (Number(first) > 12 && Number(second) <= 12) proved.add("dayFirst");
    if (Number(second) > 12 && Number(first) <= 12) proved.add("monthFirst");
  }
  return proved.size === 1 ? ([...proved][0] ?? null) : null;
}

/** Read a day as `YYYY-MM-DD`, or "" from an empty cell, or return why it is invalid. */
export function readDay(
  cell: Cell,
  order: DayOrder | null,
): { day: string } | { day?: undefined; why: "dayWrong" | "dayOrder" } {
  if (cell === null || cell === "") return { day: "" };
  if (typeof cell === "number") return dayOfNumber(cell);
  if (typeof cell !== "string") return { why: "dayWrong" };
  const text = withoutTime(plainLetters(cell));
  if (text === "") return { day: "" };
  const written = writtenDay(text);
  if (written !== null) return found(written);
  const parts = DAY.exec(text);
  if (parts === null) return { why: "dayWrong" };
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  // Equal numbers need no order, and a number above 12 is the day.
  if (first === second) return found(dayOf(parts[3]!, first, second));
  if (first > 12) return found(dayOf(parts[3]!, second, first));
  if (second > 12) return found(dayOf(parts[3]!, first, second));
  if (order === null) return { why: "dayOrder" };
  return found(
    order === "dayFirst" ? dayOf(parts[3]!, second, first) : dayOf(parts[3]!, first, second),
  );
}

function withoutTime(text: string): string {
  return text.replace(TIME, "").trim();
}

/** Read a day number of a spreadsheet. Numbers outside the accepted years are refused. */
function dayOfNumber(cell: number): { day: string } | { why: "dayWrong" } {
  const days = Math.floor(cell);
  if (days < FIRST_NUMBER || days > LAST_NUMBER) return { why: "dayWrong" };
  return { day: new Date(DAY_ZERO + days * MILLISECONDS).toISOString().slice(0, 10) };
}

function found(day: string): { day: string } | { why: "dayWrong" } {
  return day === "" ? { why: "dayWrong" } : { day };
}
