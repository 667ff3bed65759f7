/** Days and times as people say them, in the plant's time zone. Tables and fields have them as `plant.ts` writes them. */
import type { Language } from "@/shared/session/language";
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

/** `09:05`, after the day unless that is `now`. */
export function sayMoment(instant: string, language: Language, now: string = today()): string {
  const day = formatDay(instant);
  const time = formatTime(instant);
  return day === now ? time : `${sayDay(day, language, now)} ${time}`;
}
