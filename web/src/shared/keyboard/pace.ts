/** How fast scanners and scales type, compared with people. */

/** The longest pause between two keys of a scanner, in milliseconds; people do not type 20 letters at this pace. */
export const QUICK = 60;
/** Milliseconds after which earlier characters are no part of a code. Shorter pauses happen on a busy machine. */
export const SILENCE = 500;
