/** The days of which people are paid: a week of the plant, from Monday to Sunday, or any other days. Pure but for its hook. */
import { today } from "@/shared/format/plant";
import { useTableQuery } from "@/shared/hooks/useTableQuery";

/** The first and the last day, both included; what is left out is not narrowed. */
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

/** Monday to Sunday around a day `YYYY-MM-DD`. */
export function weekOf(day: string): Required<Days> {
  const since = (new Date(day).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  const from = shifted(day, -since);
  return { from, to: shifted(from, DAYS_OF_WEEK - 1) };
}

/** `typed` is what the person chose for `days`. */
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

/** Kept in the address; this week where it says nothing. */
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
