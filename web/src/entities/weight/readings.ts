/** Read weights in grams: typed by a person, typed by a keyboard scale, or sent by a scale on a serial port. */
import type { Typed } from "@/shared/format/typedNumber";

/** The heaviest weight that the server accepts, in grams. */
export const MOST_GRAMS = 1_000_000;
/**
 * Milligrams of the accepted units. Carats and all ounces are refused, because people would take
 * the number for grams.
 */
const MILLIGRAMS: Record<string, number> = { g: 1_000, kg: 1_000_000, mg: 1 };
/** What people write for grams. From a scale `gr` may be grains, so it stays refused there. */
const GRAMS_IN_WORDS = /^(?:grs?|gramos?|grams?)\.?$/i;
/** Six digits and nothing else: the PIN of a person, not a weight. */
const PIN_LIKE = /^\d{6}$/;

/** Why a text is not a weight that can be sent. */
export type WeightProblem =
  | { why: "missing" | "notNumber" | "separators" | "decimals" }
  | { why: "negative" | "zero" | "tooMany" | "moving" | "overload" }
  | { why: "unit"; unit: string }
  | { why: "pinLike"; digits: string }
  | { why: "ambiguous"; point: string; whole: string };

/** A reading of a scale. `grams` may be 0 or negative: then nothing lies on the scale. */
export type Reading =
  { kind: "stable" | "moving"; grams: number } | { kind: "refused"; problem: WeightProblem };

/**
 * A weight as a person types it (`12.5`, `12,5 g`), or as A&D (`ST,+00012.34  g`), Ohaus (`12.34 g ? N`), Adam
 * (`NET  12.34 g`), NCI (`12.34g`) and Mettler-Toledo (`S S  12.34 g`) send it. Tare, totals and counted pieces have other names before the figure.
 */
const SHAPE =
  /^(?:(?<head>ST|US|QT),|S\s+(?<sics>[SD])\s+)?\s*(?:(?:GROSS|NET|GS|NT|G|N)(?:\s+WT\.?)?,?(?=[\s+-]|\d))?\s*(?<sign>[+\-−]?)\s*(?<figure>\d[\d.,]*|[.,]\d+)\s*(?<unit>[a-z]{1,6}\.?)?\s*(?<moving>\?)?\s*(?:GROSS|NET|GS|NT|G|N)?$/i;
const OVERLOAD = /^(?:OL,|S\s+\+)/i;
const WITH_UNIT = /\d\s*[a-z]/i;
const UNCLEAR = /^[1-9]\d{0,2},\d{3}$/;
/** Tolerance in milligrams: above the error of a float, below a tenth of a milligram. */
const EXACT = 1e-5;

/**
 * Read one line of a scale; null if the line holds no weight. Scales write no thousands separators.
 */
export function readScale(text: string): Reading | null {
  return read(text, true);
}

/** The value of a weight field: grams, null if it is empty, or the text if it is not a weight that can be sent. */
export function readWeight(text: string): Typed {
  const typed = text.trim();
  if (typed === "") return null;
  const found = read(typed, false);
  if (found?.kind !== "stable") return typed;
  const why = sendable(found.grams)?.why ?? "zero";
  return why === "zero" ? found.grams : typed;
}

/** Why a value of a weight field cannot be sent; null if it can. `fromZero`: 0 is allowed. */
export function weightProblem(
  value: Typed,
  required: boolean,
  fromZero = false,
): WeightProblem | null {
  if (value === null) return required ? { why: "missing" } : null;
  if (value === 0 && fromZero) return null;
  if (typeof value === "number") return sendable(value);
  const found = read(value, false);
  return found === null ? { why: "notNumber" } : problemOf(found);
}

/** Why a reading cannot be sent as a weight; null if it can. */
export function problemOf(reading: Reading): WeightProblem | null {
  if (reading.kind === "refused") return reading.problem;
  return reading.kind === "moving" ? { why: "moving" } : sendable(reading.grams);
}

/**
 * Whether a text that was typed outside of weight fields came from a scale. It then has a unit or
 * decimals, which no code has.
 */
export const isScales = (text: string): boolean =>
  /[.,a-z]/i.test(text) && readScale(text) !== null;

function read(text: string, isScale: boolean): Reading | null {
  const line = text.trim();
  if (OVERLOAD.test(line)) return { kind: "refused", problem: { why: "overload" } };
  const parts = SHAPE.exec(line)?.groups;
  if (parts === undefined) return null;
  const { head, sics, sign, figure = "", moving } = parts;
  const isInWords = !isScale && GRAMS_IN_WORDS.test(parts["unit"] ?? "");
  const unit = isInWords ? "g" : (parts["unit"] ?? "g");
  const refused = (problem: WeightProblem): Reading => ({ kind: "refused", problem });
  const milligrams = MILLIGRAMS[unit.toLowerCase()];
  if (milligrams === undefined) return refused({ why: "unit", unit });
  if (PIN_LIKE.test(line)) return refused({ why: "pinLike", digits: line });
  if (/[.,].*[.,]/.test(figure)) return refused({ why: "separators" });
  if (!isScale && UNCLEAR.test(figure)) {
    const point = String(Number(figure.replace(",", ".")));
    return refused({ why: "ambiguous", point, whole: figure.replace(",", "") });
  }
  const exact = Number(figure.replace(",", ".")) * milligrams;
  const mg = Math.round(exact);
  // Tenths of a milligram are rounded for a scale, but refused for a person.
  if (!isScale && Math.abs(exact - mg) > EXACT) return refused({ why: "decimals" });
  const grams = (sign === "-" || sign === "−" ? -mg : mg) / 1_000;
  const isMoving =
    head?.toUpperCase() === "US" || sics?.toUpperCase() === "D" || moving !== undefined;
  return { kind: isMoving ? "moving" : "stable", grams };
}

function sendable(grams: number): WeightProblem | null {
  if (grams < 0) return { why: "negative" };
  if (grams === 0) return { why: "zero" };
  return grams > MOST_GRAMS ? { why: "tooMany" } : null;
}

interface Format {
  /**
   * Settings of a new scale of this make. The user can choose the speed, because a scale may be set
   * to another one.
   */
  baudRate: number;
  dataBits: 7 | 8;
  parity: "none" | "even";
  /** The command that asks for a reading. */
  asks: string;
}

export const FORMATS = {
  and: { baudRate: 2_400, dataBits: 7, parity: "even", asks: "Q\r\n" },
  ohaus: { baudRate: 9_600, dataBits: 8, parity: "none", asks: "IP\r\n" },
  adam: { baudRate: 4_800, dataBits: 8, parity: "none", asks: "P\r\n" },
  // SI answers at once, also while the scale moves; S would wait until it is stable.
  mettler: { baudRate: 9_600, dataBits: 8, parity: "none", asks: "SI\r\n" },
  nci: { baudRate: 9_600, dataBits: 7, parity: "even", asks: "W\r" },
} as const satisfies Record<string, Format>;
export type Make = keyof typeof FORMATS;

// oxlint-disable-next-line no-control-regex -- some scales frame a line by STX and ETX
const LINE_ENDS = /[\r\n\u0002\u0003]+/;
const AND = /^(?:ST|US|QT|OL),/;
/** A weight of MT-SICS. `S I` (busy), `S -` (nothing on the pan) and errors hold no weight. */
const SICS = /^S\s+[SD+]/;
/**
 * The line after an NCI weight. Bit 0 of its first character says that the scale moves, bits 0 and 1
 * of the second one that it is out of its range.
 */
const NCI_STATUS = /^S?(?<motion>[0-?])(?<range>[0-?p-~])[0-?]?$/;

/** Turn the text of a serial port into readings. The text before the first line's end is dropped: it may be cut. */
export class ScaleLines {
  readonly #make: Make;
  #rest = "";
  #isWhole = false;
  /** The last NCI line before its status. */
  #weight = "";

  constructor(make: Make) {
    this.#make = make;
  }

  push(text: string): Reading[] {
    const lines = (this.#rest + text).split(LINE_ENDS);
    this.#rest = lines.pop() ?? "";
    if (!this.#isWhole && lines.length > 0) {
      lines.shift();
      this.#isWhole = true;
    }
    return lines
      .filter((line) => line !== "")
      .map((line) => this.#read(line))
      .filter((reading) => reading !== null);
  }

  #read(line: string): Reading | null {
    if (this.#make === "nci") return this.#readNci(line);
    if (this.#make === "and" && !AND.test(line)) return null;
    if (this.#make === "mettler" && !SICS.test(line)) return null;
    return OVERLOAD.test(line) || WITH_UNIT.test(line) ? readScale(line) : null;
  }

  #readNci(line: string): Reading | null {
    const status = NCI_STATUS.exec(line)?.groups;
    if (status === undefined) {
      this.#weight = line;
      return null;
    }
    const weight = this.#weight;
    this.#weight = "";
    const bits = (name: "motion" | "range") => status[name]?.charCodeAt(0) ?? 0;
    if ((bits("range") & 0b11) !== 0) {
      return { kind: "refused", problem: { why: "overload" } };
    }
    const reading = WITH_UNIT.test(weight) ? readScale(weight) : null;
    const isMoving = (bits("motion") & 1) === 1;
    return reading?.kind === "stable" && isMoving ? { ...reading, kind: "moving" } : reading;
  }
}
