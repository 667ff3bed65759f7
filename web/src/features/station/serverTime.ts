/** How far this machine's clock is from the server's: a tablet's may be wrong by a day. Kept, for it is needed offline. */
const KEY = "serverTime";

/** What must be added to this machine's clock, in milliseconds. */
function offset(): number {
  return Number(localStorage.getItem(KEY) ?? 0) || 0;
}

/** The server has just said what time it is. */
export function noteServerTime(instant: string, now: number = Date.now()): void {
  const ahead = Date.parse(instant) - now;
  if (Number.isFinite(ahead)) localStorage.setItem(KEY, String(ahead));
}

/** An instant of this machine's clock by the server's. */
export function serverTime(now: number = Date.now()): number {
  return now + offset();
}
