/** The plant's own time zone and currency: days and instants as `YYYY-MM-DD`, prices where nobody said in what. */
const DEFAULT_ZONE = "America/Mexico_City";
const formats = new Map<string, Intl.DateTimeFormat>();
let zone = DEFAULT_ZONE;

/** The server's setting, as the sign-in brings it; an unknown name keeps the default. */
export function setPlantZone(name: string | undefined): void {
  zone = name !== undefined && isZone(name) ? name : DEFAULT_ZONE;
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: name }).format(0) !== "";
  } catch (reason) {
    if (reason instanceof RangeError) return false;
    throw reason;
  }
}

function part(kind: "day" | "time", instant: Date): string {
  const key = `${zone} ${kind}`;
  let format = formats.get(key);
  if (format === undefined) {
    // Swedish writes dates the way ISO 8601 does.
    format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      ...(kind === "day" ? { dateStyle: "short" } : { timeStyle: "short" }),
    });
    formats.set(key, format);
  }
  return format.format(instant);
}

/** `2026-03-14` for an instant, or a day given as such unchanged; "" for nothing. */
export function formatDay(value: string | Date | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "string" && value.length === 10) return value;
  return part("day", new Date(value));
}

/** `2026-03-14 09:05` */
export function formatInstant(value: string | Date | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  const instant = new Date(value);
  return `${part("day", instant)} ${part("time", instant)}`;
}

/** The last day of what ends at an instant: at a midnight, the day before it. */
export function lastDay(end: string | null): string {
  return end === null ? "" : formatDay(new Date(Date.parse(end) - 1));
}

/** `09:05` */
export function formatTime(value: string | Date): string {
  return part("time", new Date(value));
}

/** `09:05`, of another day than `day` with its own before it. */
export function formatMoment(value: string | Date, day: string = today()): string {
  const instant = new Date(value);
  return part("day", instant) === day ? part("time", instant) : formatInstant(instant);
}

/** The plant's time where this browser's clock shows another one, with the plant's day where that differs too; else "". */
export function plantTimeElsewhere(now: Date): string {
  const localDay = now.toLocaleDateString("sv-SE");
  const localTime = now.toLocaleTimeString("sv-SE", { timeStyle: "short" });
  return formatInstant(now) === `${localDay} ${localTime}` ? "" : formatMoment(now, localDay);
}

export function today(now: Date = new Date()): string {
  return part("day", now);
}

/** How many days after a day another one is; negative where it is before. */
export function daysBetween(day: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(day)) / 86_400_000);
}

/** The plant's days from an instant to a day: 0 for one of that day, 1 for one of the day before. Never less than 0. */
export function daysSince(instant: string, day: string = today()): number {
  return Math.max(0, daysBetween(formatDay(instant), day));
}

export function minutesSince(instant: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000));
}

const DEFAULT_CURRENCY = "MXN";
let currency = DEFAULT_CURRENCY;

/** Known since the sign-in, with the time zone. */
export function setPlantCurrency(code: string | undefined): void {
  currency = code ?? DEFAULT_CURRENCY;
}

export function plantCurrency(): string {
  return currency;
}
