/**
 * Read pieces and days as spreadsheets write them. A whole column settles what a single cell leaves
 * open. Pure functions.
 */
import { isDay } from "./values";

/**
 * A cell as the server reads it from a file. Pasted cells are strings. An object is a cell that
 * could not be read.
 */
export type Cell = string | number | boolean | { code: string } | null;

/** The thousands separator. */
export type Sign = "," | ".";
export type DayOrder = "dayFirst" | "monthFirst";

const WHOLE = /^\d+$/;
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
    const text = typeof cell === "string" ? cell.trim() : "";
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
  const text = cell.trim();
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

/** Return the thousands separator that a single number proves; a comma if it proves none. */
function signOf(text: string): Sign {
  return piecesSign([text]) ?? ",";
}

/** A time after a day, which is ignored. */
const TIME =
  /[\sT,]+\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*([ap]\.?\s?m\.?)?\s*(z|[+-]\d{2}:?\d{2})?$/i;
const YEAR_FIRST = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/;
const DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
const WEEKDAY = "(?:(?:lun|mar|mie|jue|vie|sab|dom|mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? )?";
/** 15-Jan-2027, 15 de enero de 2027, viernes, 15 enero 2027. */
const NAMED = new RegExp(
  `^${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th|o)?[ /.-]+(?:de )?([a-z]+)\\.?,?[ /.-]+(?:del? )?(\\d{4}|\\d{2})$`,
);
/** January 15, 2027; Friday, Jan. 15th 2027; enero 15, 2027. */
const MONTH_FIRST = new RegExp(
  `^${WEEKDAY}([a-z]+)\\.?[ /.-]+(\\d{1,2})(?:st|nd|rd|th)?,?[ /.-]+(?:del? )?(\\d{4})$`,
);
/** Days since 1899-12-30, as spreadsheets count them. The years 2020 to 2049 are accepted. */
const FIRST_NUMBER = 43_831;
const LAST_NUMBER = 54_788;
const DAY_ZERO = Date.UTC(1899, 11, 30);
const MILLISECONDS = 86_400_000;
const MONTHS = (
  "enero january,febrero february,marzo march,abril april,mayo may,junio june,julio july,agosto august," +
  "septiembre setiembre september,octubre october,noviembre november,diciembre december"
)
  .split(",")
  .map((names) => names.split(" "));
/** Two letters can be ambiguous ("ma": marzo or mayo); three letters are not. */
const SHORTEST_MONTH = 3;

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
  const year = YEAR_FIRST.exec(text);
  if (year !== null) return dayOf(year[1]!, Number(year[2]), Number(year[3]));
  const named = NAMED.exec(text);
  if (named !== null) return dayOf(named[3]!, monthOf(named[2]!), Number(named[1]));
  const written = MONTH_FIRST.exec(text);
  if (written !== null) return dayOf(written[3]!, monthOf(written[1]!), Number(written[2]));
  const parts = DAY.exec(text);
  if (parts === null) return { why: "dayWrong" };
  const [first, second] = [Number(parts[1]), Number(parts[2])];
  // Equal numbers need no order, and a number above 12 is the day.
  if (first === second) return dayOf(parts[3]!, first, second);
  if (first > 12) return dayOf(parts[3]!, second, first);
  if (second > 12) return dayOf(parts[3]!, first, second);
  if (order === null) return { why: "dayOrder" };
  return order === "dayFirst" ? dayOf(parts[3]!, second, first) : dayOf(parts[3]!, first, second);
}

/** Lower-case text without accents, with single spaces. */
export function plainLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .trim();
}

function withoutTime(text: string): string {
  return text.replace(TIME, "").trim();
}

/** Return the month of a name, from 1; 0 if the name is unknown or too short. */
function monthOf(word: string): number {
  if (word.length < SHORTEST_MONTH) return 0;
  return MONTHS.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;
}

/** Read a day number of a spreadsheet. Numbers outside the accepted years are refused. */
function dayOfNumber(cell: number): { day: string } | { why: "dayWrong" } {
  const days = Math.floor(cell);
  if (days < FIRST_NUMBER || days > LAST_NUMBER) return { why: "dayWrong" };
  return { day: new Date(DAY_ZERO + days * MILLISECONDS).toISOString().slice(0, 10) };
}

function dayOf(year: string, month: number, day: number): { day: string } | { why: "dayWrong" } {
  const whole = year.length === 2 ? `20${year}` : year;
  const text = [whole, String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
  return isDay(text) ? { day: text } : { why: "dayWrong" };
}
