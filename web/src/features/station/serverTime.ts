import { storeText } from "@/shared/session/stored";

/**
 * Estimate the server's clock, because a tablet's may be wrong by a day. Kept, because it is needed
 * offline.
 */
const KEY = "serverTime";
/** Server time minus this machine's time, in ms. */
let offset = Number(localStorage.getItem(KEY) ?? 0) || 0;

/** Note the time that the server has just said. */
export function noteServerTime(instant: string, now: number = Date.now()): void {
  const ahead = Date.parse(instant) - now;
  if (!Number.isFinite(ahead)) return;
  offset = ahead;
  // If it cannot be stored, it is known until the page is loaded again.
  storeText(localStorage, KEY, String(ahead));
}

/** Longest delay of an answer, in ms. A slow answer sets the estimate back by its delay. */
const SLOWEST = 60_000;
let recorded = 0;

/** Note when the server recorded something. Whatever is pressed from now on was pressed later. */
export function noteRecorded(instant: string): void {
  recorded = Math.max(recorded, Date.parse(instant));
}

/**
 * Convert an instant of this machine's clock to the server's, in ms. It is not before what was
 * recorded, so that no piece leaves before it entered.
 */
export function serverTime(now: number = Date.now()): number {
  const estimated = now + offset;
  return recorded - estimated < SLOWEST ? Math.max(estimated, recorded) : estimated;
}
