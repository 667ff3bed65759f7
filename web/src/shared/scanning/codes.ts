/** The codes that this product prints, and what scanners and their keyboards make of them. */

/** The text of a sheet's QR: base 32, sealed. */
const SHEET = /^[A-Z2-7]{40,}$/i;
const BADGE = /^B1[A-Z2-7]{26}$/i;
/** As it is printed beside the QR: order and line. */
const SHORT = /^[1-9]\d*-[1-9]\d*$/;

/** How a scanner that is set so says which kind of code it read: AIM's `]`, or the key of `]` on a Spanish keyboard. */
const AIM_PREFIX = /^[\]+][A-Za-z]\d/;
/** What the key of `-` writes on other keyboards, and what people take for it. */
const SHORT_MISTYPED = /^([1-9]\d*)['’´/?¿_‐-―−]([1-9]\d*)$/;

/** A scanned or typed text as the code that it stands for. */
export function codeOf(text: string): string {
  return text.trim().replace(AIM_PREFIX, "").replace(SHORT_MISTYPED, "$1-$2");
}

export const isShortCode = (code: string): boolean => SHORT.test(code);

/** Whether a code, as `codeOf` answers it, may be one of this product's. */
export const hasShape = (code: string): boolean =>
  SHEET.test(code) || BADGE.test(code) || isShortCode(code);
