import { ofBrowser } from "@/shared/stored";

/**
 * Estimate the server's clock, because a tablet's clock may be wrong by a day. The estimate is
 * stored, because it is needed offline.
 */
const KEY = "serverTime";
/** Server time minus this machine's time, in ms. */
let offset = Number(ofBrowser.getItem(KEY) ?? 0) || 0;

/** Estimate the offset from a time that the server has just sent. */
export function noteServerTime(instant: string, now: number = Date.now()): void {
  const ahead = Date.parse(instant) - now;
  if (!Number.isFinite(ahead)) return;
  offset = ahead;
  // If it cannot be stored, it is known until the page is loaded again.
  ofBrowser.setItem(KEY, String(ahead));
}

/**
 * Longest expected delay of an answer, in ms. A slow answer makes the estimate too early by its
 * delay.
 */
const SLOWEST = 60_000;
let recorded = 0;

/**
 * Note when the server recorded something. Everything that is pressed from now on must be later.
 */
export function noteRecorded(instant: string): void {
  recorded = Math.max(recorded, Date.parse(instant));
}

/**
 * Convert an instant of this machine's clock to the server's, in ms. The result is never before the
 * last recorded instant, so that no piece leaves before it entered.
 */
export function serverTime(now: number = Date.now()): number {
  const estimated = now + offset;
  return recorded - estimated < SLOWEST ? Math.max(estimated, recorded) : estimated;
}
