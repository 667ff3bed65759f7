/** Days and times as people say them, in the plant's time zone. Tables and fields have them as `plant.ts` writes them. */
import type { Language } from "@/shared/language";
import { LOCALES } from "./numbers";
import { formatDay, formatTime, today } from "./plant";

/** `jue 27 nov`, with the year unless it is the year of `now`. */
export function sayDay(day: string, language: Language, now: string = today()): string {
  // A day has no time zone, so format it in the one in which JavaScript parses it.
  const parts = new Intl.DateTimeFormat(LOCALES[language], {
    weekday: "short",
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  }).formatToParts(new Date(day));
  const words = (["weekday", "day", "month"] as const).map(
    (kind) => parts.find(({ type }) => type === kind)?.value ?? "",
  );
  const year = day.slice(0, 4);
  return [...words, ...(year === now.slice(0, 4) ? [] : [year])].join(" ");
}

/** `12–19 mar`, `28 feb–3 mar` or `12 mar`, with the year unless it is the year of `now`. */
export function sayDays(
  first: string,
  last: string,
  language: Language,
  now: string = today(),
): string {
  const [one, other] = [withoutWeekday(first, language), withoutWeekday(last, language)];
  const year = (day: string) => (day.slice(0, 4) === now.slice(0, 4) ? "" : ` ${day.slice(0, 4)}`);
  const end = `${other.day} ${other.month}${year(last)}`;
  if (first === last) return end;
  if (first.slice(0, 7) === last.slice(0, 7)) return `${one.day}–${end}`;
  return `${one.day} ${one.month}${year(first)}–${end}`;
}

function withoutWeekday(day: string, language: Language): { day: string; month: string } {
  const parts = new Intl.DateTimeFormat(LOCALES[language], {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  }).formatToParts(new Date(day));
  const part = (kind: "day" | "month") => parts.find(({ type }) => type === kind)?.value ?? "";
  return { day: part("day"), month: part("month") };
}

/** `09:05`, after the day unless that is `now`. */
export function sayMoment(instant: string, language: Language, now: string = today()): string {
  const day = formatDay(instant);
  const time = formatTime(instant);
  return day === now ? time : `${sayDay(day, language, now)} ${time}`;
}
