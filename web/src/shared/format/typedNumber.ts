/** Parse typed numbers without guessing. A text that is not clearly a number stays text. */

/** The value of a number field: a number, a text that is not a valid number, or null if it is empty. */
export type Typed = number | string | null;

export interface NumberRule {
  least: number;
  most: number;
  /** Maximum decimals; without it only whole numbers are valid. */
  decimals?: number;
  /** Whether the field may be empty. */
  optional?: boolean;
}

/** A number of pieces, as the server takes it. */
export const PIECES = { least: 1, most: 10_000_000 } satisfies NumberRule;

/** Why a typed number is invalid. */
export type Problem =
  | { why: "missing" | "notNumber" | "notWhole" | "comma" }
  | { why: "grouped"; digits: string }
  | { why: "tooFew"; least: number }
  | { why: "tooMany"; most: number }
  | { why: "decimals"; decimals: number };

/** The number of decimal digits that a float holds exactly. */
const DIGITS = 15;

const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;
const GROUPED = /^\d{1,3}([, ]\d{3})+$/;

/** Parse a text: "18" is 18. An ambiguous text such as "1,200" stays text, because countries read it differently. */
export function readTyped(text: string, { decimals }: NumberRule): Typed {
  const typed = text.trim();
  if (typed === "") return null;
  if (decimals === undefined) return WHOLE.test(typed) ? Number(typed) : typed;
  return DECIMAL.test(typed) && isExact(typed) ? Number(typed) : typed;
}

export function textOf(typed: Typed): string {
  return typed === null ? "" : String(typed);
}

/** Why a value breaks the rule; null if it is valid. */
export function problemOf(typed: Typed, rule: NumberRule): Problem | null {
  if (typed === null) return rule.optional === true ? null : { why: "missing" };
  if (typeof typed === "string") return misread(typed, rule);
  if (!Number.isFinite(typed)) return { why: "notNumber" };
  if (typed < rule.least) return { why: "tooFew", least: rule.least };
  if (typed > rule.most) return { why: "tooMany", most: rule.most };
  // A price may have too many decimals after the user chose a currency with fewer.
  const { decimals } = rule;
  const fits = decimals === undefined || Number(typed.toFixed(decimals)) === typed;
  return fits ? null : { why: "decimals", decimals };
}

/** The number of a field that was validated before sending. Throws Error if it is not a number. */
export function taken(typed: Typed): number {
  if (typeof typed !== "number") throw new Error(`Not a number: ${textOf(typed)}`);
  return typed;
}

/** The number to add to a sum shown while the user types: null if it is invalid, 0 if it is empty and may be. */
export function countable(typed: Typed | undefined, rule: NumberRule): number | null {
  const known = typed ?? null;
  return problemOf(known, rule) === null ? orNothing(known) : null;
}

/** The number to show while the user types: 0 for a value that is not a number yet. */
export function orNothing(typed: Typed | undefined): number {
  return typeof typed === "number" ? typed : 0;
}

function misread(text: string, { decimals }: NumberRule): Problem {
  if (GROUPED.test(text)) return { why: "grouped", digits: text.replaceAll(/[, ]/g, "") };
  if (!/\d/.test(text)) return { why: "notNumber" };
  if (decimals === undefined) {
    return /^-?[\d.,]+$/.test(text) ? { why: "notWhole" } : { why: "notNumber" };
  }
  if (/^-?[\d.,]+$/.test(text) && text.includes(",")) return { why: "comma" };
  if (!DECIMAL.test(text)) return { why: "notNumber" };
  return { why: "decimals", decimals: Math.min(decimals, DIGITS - wholeDigitsOf(text)) };
}

function isExact(text: string): boolean {
  const fraction = (text.split(".")[1] ?? "").replace(/0+$/, "");
  return wholeDigitsOf(text) + fraction.length <= DIGITS;
}

function wholeDigitsOf(text: string): number {
  return (text.split(".")[0] ?? "").replace(/^-?0*/, "").length;
}
