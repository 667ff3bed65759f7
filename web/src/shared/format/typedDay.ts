/** Read days as people and spreadsheets write them. Pure functions. */
import { daysBetween, today } from "./plant";

const WITH_YEAR = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_FIRST = /^(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}))?$/;
const YEAR_FIRST = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/;
/** 20270115. Only years of these centuries, so that other numbers of eight digits are no days. */
const TOGETHER = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;
const WEEKDAY = "(?:(?:lun|mar|mie|jue|vie|sab|dom|mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,? )?";
/** 15-Jan-2027, 15 de enero de 2027, viernes, 15 enero 2027. */
const NAMED = new RegExp(
  `^${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th|o)?[ /.-]+(?:de )?([a-z]+)\\.?,?[ /.-]+(?:del? )?(\\d{4}|\\d{2})$`,
);
/** January 15, 2027; Friday, Jan. 15th 2027; enero 15, 2027. */
const MONTH_FIRST = new RegExp(
  `^${WEEKDAY}([a-z]+)\\.?[ /.-]+(\\d{1,2})(?:st|nd|rd|th)?,?[ /.-]+(?:del? )?(\\d{4})$`,
);
const MONTHS = (
  "enero january,febrero february,marzo march,abril april,mayo may,junio june,julio july,agosto august," +
  "septiembre setiembre september,octubre october,noviembre november,diciembre december"
)
  .split(",")
  .map((names) => names.split(" "));
/** Two letters can be ambiguous ("ma": marzo or mayo); three letters are not. */
const SHORTEST_MONTH = 3;
/** Calendars take an earlier year for one of the 20th century. */
const FIRST_YEAR = 100;

/**
 * Read a typed day: `2026-12-18`, `18/12/2026`, a form that `writtenDay` reads, or `18/12` for the one nearest to
 * today; null if there is no such day. The day is before the month in both languages, because their English is British.
 */
export function dayTyped(text: string, now: string = today()): string | null {
  const [, day, , month, typedYear] = DAY_FIRST.exec(text) ?? [];
  if (day === undefined || month === undefined) return writtenDay(plainLetters(text)) || null;
  const year = Number(now.slice(0, 4));
  const years = typedYear === undefined ? [year - 1, year, year + 1].map(String) : [typedYear];
  const distance = (each: string) => Math.abs(daysBetween(now, each));
  const [nearest] = years
    .map((each) => dayOf(each, Number(month), Number(day)))
    .filter((each) => each !== "")
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest ?? null;
}

/**
 * Read a day in a form that says what is the year, the month and the day: `2027/1/5`, `20270115`, `15 ene 2027`,
 * `January 15, 2027`. Return "" for a day that does not exist, null for another form. `text`: by `plainLetters`.
 */
export function writtenDay(text: string): string | null {
  const numbers = YEAR_FIRST.exec(text) ?? TOGETHER.exec(text);
  if (numbers !== null) return dayOf(numbers[1]!, Number(numbers[2]), Number(numbers[3]));
  const named = NAMED.exec(text);
  if (named !== null) return dayOf(named[3]!, monthOf(named[2]!), Number(named[1]));
  const written = MONTH_FIRST.exec(text);
  if (written !== null) return dayOf(written[3]!, monthOf(written[1]!), Number(written[2]));
  return null;
}

/** Return a day as `YYYY-MM-DD`; "" if it does not exist. A year of two digits is of this century. */
export function dayOf(year: string, month: number, day: number): string {
  const whole = year.length === 2 ? `20${year}` : year.padStart(4, "0");
  const text = [whole, String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
  return isDay(text) ? text : "";
}

/** Whether a text is an existing day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!WITH_YEAR.test(text) || Number(text.slice(0, 4)) < FIRST_YEAR) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
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

/** Return the month of a name, from 1; 0 if the name is unknown or too short. */
function monthOf(word: string): number {
  if (word.length < SHORTEST_MONTH) return 0;
  return MONTHS.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;
}
