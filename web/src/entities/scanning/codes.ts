/** The codes that this product prints, and the forms in which scanners and keyboards return them. */

/** The text of a sheet's QR code: encrypted by the server, in base 32. */
const SHEET = /^[A-Z2-7]{40,}$/i;
const BADGE = /^B1[A-Z2-7]{26}$/i;
/** The short code, printed beside the QR code: order and line. */
const SHORT = /^[1-9]\d*-[1-9]\d*$/;

/** The AIM prefix with which some scanners report the kind of code: `]`, or its key `+` on a Spanish keyboard. */
const AIM_PREFIX = /^[\]+][A-Za-z]\d/;
/** Characters that the key of `-` types on other keyboards, and similar ones that people type. */
const SHORT_MISTYPED = /^([1-9]\d*)['’´/?¿_‐-―−]([1-9]\d*)$/;

/** Convert a scanned or typed text to its code. */
export function codeOf(text: string): string {
  return text.trim().replace(AIM_PREFIX, "").replace(SHORT_MISTYPED, "$1-$2");
}

export const isBadge = (code: string): boolean => BADGE.test(code);

export const isShortCode = (code: string): boolean => SHORT.test(code);

/** Whether a result of `codeOf` has the form of one of this product's codes. */
export const hasShape = (code: string): boolean =>
  SHEET.test(code) || isBadge(code) || isShortCode(code);
