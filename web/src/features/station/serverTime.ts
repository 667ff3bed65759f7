import { storeText } from "@/shared/session/stored";

/** How far this machine's clock is from the server's: a tablet's may be wrong by a day. Kept, for it is needed offline. */
const KEY = "serverTime";
/** What must be added to this machine's clock, in milliseconds. */
let offset = Number(localStorage.getItem(KEY) ?? 0) || 0;

/** The server has just said what time it is. */
export function noteServerTime(instant: string, now: number = Date.now()): void {
  const ahead = Date.parse(instant) - now;
  if (!Number.isFinite(ahead)) return;
  offset = ahead;
  // Without room for it, it is known until the page is loaded again.
  storeText(localStorage, KEY, String(ahead));
}

/** An answer that took its time, at most so many milliseconds, sets this clock back by it. */
const SLOWEST = 60_000;
let recorded = 0;

/** The server recorded something then, and has said so: whatever is pressed from now on was pressed later. */
export function noteRecorded(instant: string): void {
  recorded = Math.max(recorded, Date.parse(instant));
}

/** An instant of this machine's clock by the server's: no piece leaves before it has entered. */
export function serverTime(now: number = Date.now()): number {
  const estimated = now + offset;
  return recorded - estimated < SLOWEST ? Math.max(estimated, recorded) : estimated;
}
