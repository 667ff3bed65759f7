/** Periods of whole days, both ends included. Pure functions. */
const DAY = 86_400_000;

export interface Period {
  from: string;
  to: string;
}

export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

export function lengthOf({ from, to }: Period): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
}

/** Return the period of `days` days that ends with `to`. */
export function daysUpTo(to: string, days: number): Period {
  return { from: shiftDay(to, 1 - days), to };
}

/** Return the period of the same length just before the given one. */
export function before(period: Period): Period {
  return daysUpTo(shiftDay(period.from, -1), lengthOf(period));
}

/** Read a period from the address, or use the usual one. Reversed days are swapped. */
export function periodOf(from: string | null, to: string | null, usual: Period): Period {
  const end = isDay(to) ? to : usual.to;
  const start = isDay(from) ? from : isDay(to) ? shiftDay(to, 1 - lengthOf(usual)) : usual.from;
  return start <= end ? { from: start, to: end } : { from: end, to: start };
}

function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

export function daysOf(period: Period): string[] {
  const length = Math.max(0, lengthOf(period));
  return Array.from({ length }, (_, index) => shiftDay(period.from, index));
}
