/** How spreadsheets write pieces and days, and how the whole of a column settles what a single cell leaves open. Pure. */
import { isDay } from "./values";

/** A cell as the server reads it of a file; pasted ones are texts. An object is a cell that cannot be read. */
export type Cell = string | number | boolean | { code: string } | null;

/** What stands between the thousands. */
export type Sign = "," | ".";
export type DayOrder = "dayFirst" | "monthFirst";

const WHOLE = /^\d+$/;
/** 1,200 and 1.200: thousands for one, a fraction for another. */
const OPEN = /^\d{1,3}([.,])\d{3}$/;
/** 1,200,000 and 1,200.00 and 1.200,5: only one sign can be that of the thousands. */
const SURE = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$|^\d{1,3}([.,])\d{3}(?:\2\d{3})*(?!\2)[.,]\d+$/;
/** 2.5 and 12,00: the sign is that of a fraction. */
const FRACTION = /^\d+([.,])(?!\d{3}$)\d+$|^\d{4,}([.,])\d+$|^0([.,])\d+$/;

/** The sign of thousands that a column of quantities proves; null where it proves none, or both. */
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

/** Pieces, or why it is none. "1,200" is read once it is known what the comma means there. */
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

/** Of a number that proves its own sign. */
function signOf(text: string): Sign {
  return piecesSign([text]) ?? ",";
}

/** What follows a day where a time stands with it: it does not count. */
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
/** Days since the end of 1899, as spreadsheets count them: of the years 2020 to 2049. */
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
/** "di" could be of two months in a column of two languages; "dic" is of one. */
const SHORTEST_MONTH = 3;

/** What a column of days proves to stand first; null where it proves nothing, or both. */
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

/** `YYYY-MM-DD`, empty where nothing stands there, or why it is no day. */
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
  // The same day and month can be read in one way only; so can a number that no month has.
  if (first === second) return dayOf(parts[3]!, first, second);
  if (first > 12) return dayOf(parts[3]!, second, first);
  if (second > 12) return dayOf(parts[3]!, first, second);
  if (order === null) return { why: "dayOrder" };
  return order === "dayFirst" ? dayOf(parts[3]!, second, first) : dayOf(parts[3]!, first, second);
}

/** Small letters without accents. */
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

/** 0 where no month, or more than one, is called so. */
function monthOf(word: string): number {
  if (word.length < SHORTEST_MONTH) return 0;
  return MONTHS.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;
}

/** A number is a day where a spreadsheet may have meant one. */
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
