/** A number as a person types it: read without guessing, and kept as typed where it cannot be read. Pure. */

/** What a number field holds: the number, the text that is none, or nothing. */
export type Typed = number | string | null;

export interface NumberRule {
  least: number;
  most: number;
  /** Places behind the point; without it only whole numbers are taken. */
  decimals?: number;
  /** It may be left empty. */
  optional?: boolean;
}

/** Why a number cannot be taken. */
export type Problem =
  | { why: "missing" | "notNumber" | "notWhole" | "comma" }
  | { why: "grouped"; digits: string }
  | { why: "tooFew"; least: number }
  | { why: "tooMany"; most: number }
  | { why: "decimals"; decimals: number };

/** A number carries so many digits exactly. */
const DIGITS = 15;

const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;
const GROUPED = /^\d{1,3}([, ]\d{3})+$/;

/** "18" is 18. What could mean two numbers stays text: "1,200" is one thing here and another there. */
export function readTyped(text: string, { decimals }: NumberRule): Typed {
  const typed = text.trim();
  if (typed === "") return null;
  if (decimals === undefined) return WHOLE.test(typed) ? Number(typed) : typed;
  return DECIMAL.test(typed) && isExact(typed) ? Number(typed) : typed;
}

export function textOf(typed: Typed): string {
  return typed === null ? "" : String(typed);
}

/** Null where the number can be taken. */
export function problemOf(typed: Typed, rule: NumberRule): Problem | null {
  if (typed === null) return rule.optional === true ? null : { why: "missing" };
  if (typeof typed === "string") return misread(typed, rule);
  if (!Number.isFinite(typed)) return { why: "notNumber" };
  if (typed < rule.least) return { why: "tooFew", least: rule.least };
  if (typed > rule.most) return { why: "tooMany", most: rule.most };
  // A price keeps its decimals while another currency is chosen, which may have fewer.
  const { decimals } = rule;
  const fits = decimals === undefined || Number(typed.toFixed(decimals)) === typed;
  return fits ? null : { why: "decimals", decimals };
}

/** The number of a field that was found right; that it is one has been seen to before anything is sent. */
export function taken(typed: Typed): number {
  if (typeof typed !== "number") throw new Error(`Not a number: ${textOf(typed)}`);
  return typed;
}

/** For a sum that is shown while somebody types: null where the number cannot be taken; what may be left empty is 0. */
export function countable(typed: Typed | undefined, rule: NumberRule): number | null {
  const known = typed ?? null;
  return problemOf(known, rule) === null ? orNothing(known) : null;
}

/** For what is shown while somebody types: what is no number yet counts as nothing. */
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
