/**
 * The days that people are paid for: a week of the plant, from Monday to Sunday, or any other days.
 */
import { today } from "@/shared/format/plant";
import { useTableQuery } from "@/shared/hooks/useTableQuery";

/** First and last day, both included. An absent day sets no limit. */
export interface Days {
  from?: string;
  to?: string;
}

export const PERIODS = ["week", "lastWeek", "all", "days"] as const;
export type Period = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;

const shifted = (day: string, by: number) =>
  new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10);

/** Return the Monday and the Sunday of the week of a day `YYYY-MM-DD`. */
export function weekOf(day: string): Required<Days> {
  const since = (new Date(day).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  const from = shifted(day, -since);
  return { from, to: shifted(from, DAYS_OF_WEEK - 1) };
}

/** Return the days of a period. `typed`: the user's own days, for the period "days". */
export function daysOf(period: Period, day: string, typed: Days): Days {
  switch (period) {
    case "week":
      return weekOf(day);
    case "lastWeek":
      return weekOf(shifted(day, -DAYS_OF_WEEK));
    case "all":
      return {};
    default:
      return typed;
  }
}

/** Keep the period in the address. This week is the default. */
export function usePeriod() {
  const query = useTableQuery(["period", "from", "to"]);
  const { period: named, from, to } = query.filters;
  const period = PERIODS.find((one) => one === named) ?? "week";
  const typed = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const days = daysOf(period, today(), typed);
  return {
    period,
    days,
    query,
    choose: (next: Period) =>
      query.set({
        period: next,
        from: next === "days" ? (days.from ?? "") : "",
        to: next === "days" ? (days.to ?? "") : "",
      }),
  };
}
