/** Format days and times in the plant's time zone, as `YYYY-MM-DD` and `HH:MM`; and the plant's default currency. */
const DEFAULT_ZONE = "America/Mexico_City";
const formats = new Map<string, Intl.DateTimeFormat>();
let zone = DEFAULT_ZONE;

/** Set the plant's time zone, from the sign-in's answer; an unknown name sets the default. */
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
    // The Swedish locale formats dates as ISO 8601.
    format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      ...(kind === "day" ? { dateStyle: "short" } : { timeStyle: "short" }),
    });
    formats.set(key, format);
  }
  return format.format(instant);
}

/** Format an instant as `2026-03-14`; return a day unchanged, and "" for no value. */
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

/** The last day of a period that ends at an instant: if that is midnight, the day before. "" for null. */
export function lastDay(end: string | null): string {
  return end === null ? "" : formatDay(new Date(Date.parse(end) - 1));
}

/** `09:05` */
export function formatTime(value: string | Date): string {
  return part("time", new Date(value));
}

/** `09:05`, with the day before it unless that is `day`. */
export function formatMoment(value: string | Date, day: string = today()): string {
  const instant = new Date(value);
  return part("day", instant) === day ? part("time", instant) : formatInstant(instant);
}

/** The plant's time if it differs from this browser's clock, with the day if that differs too; else "". */
export function plantTimeElsewhere(now: Date): string {
  const localDay = now.toLocaleDateString("sv-SE");
  const localTime = now.toLocaleTimeString("sv-SE", { timeStyle: "short" });
  return formatInstant(now) === `${localDay} ${localTime}` ? "" : formatMoment(now, localDay);
}

export function today(now: Date = new Date()): string {
  return part("day", now);
}

/** The instant at which a day of the plant begins, as the server takes it. */
export function startOf(day: string): string {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  const offset = (at: number) =>
    Date.parse(`${formatInstant(new Date(at)).replace(" ", "T")}:00Z`) - at;
  // The offset may differ at the first guess, on the day of a clock change.
  return new Date(wanted - offset(wanted - offset(wanted))).toISOString();
}

/** The number of days from `day` to `other`; negative if `other` is earlier. */
export function daysBetween(day: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(day)) / 86_400_000);
}

/** The number of the plant's days from an instant to `day`, at least 0: 0 on that day, 1 on the day before. */
export function daysSince(instant: string, day: string = today()): number {
  return Math.max(0, daysBetween(formatDay(instant), day));
}

export function minutesSince(instant: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000));
}

const DEFAULT_CURRENCY = "MXN";
let currency = DEFAULT_CURRENCY;

/** Set the plant's currency, from the sign-in's answer; undefined sets the default. */
export function setPlantCurrency(code: string | undefined): void {
  currency = code ?? DEFAULT_CURRENCY;
}

export function plantCurrency(): string {
  return currency;
}
