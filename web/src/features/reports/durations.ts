/** Durations and chart scales in readable units. */
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";

export interface Duration {
  unit: "minutes" | "hours" | "days";
  value: number;
}

/**
 * Convert hours: minutes below an hour, hours below two days, then days. Hours and days have at
 * most one decimal.
 */
export function duration(hours: number): Duration {
  if (hours < 1) return { unit: "minutes", value: Math.round(60 * hours) };
  if (hours < 48) return { unit: "hours", value: tenths(hours) };
  return { unit: "days", value: tenths(hours / 24) };
}

const tenths = (value: number) => Math.round(10 * value) / 10;

/**
 * Return the top of a chart: the smallest 1, 2 or 5 times a power of ten that is not below the
 * highest value.
 */
export function topOf(values: readonly number[]): number {
  const highest = Math.max(0, ...values);
  if (highest === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= highest) ?? 10 * power;
}

type Values = readonly (number | null)[];

/** The point of a day's value in the chart, "x y" in percent. */
const placeOf = (value: number, index: number, { length }: Values, top: number) =>
  `${round((100 * (index + 0.5)) / length)} ${round(100 - (100 * value) / top)}`;

/** Return an SVG path through the days with a value. A gap ends the line. */
export function linePath(values: Values, top: number): string {
  const parts: string[] = [];
  let drawing = false;
  values.forEach((value, index) => {
    if (value === null) {
      drawing = false;
      return;
    }
    const place = placeOf(value, index, values, top);
    parts.push(drawing ? `L${place}` : `M${place}`);
    drawing = true;
  });
  return parts.join("");
}

/**
 * Return an SVG path of dots. A day has a dot if it has a value and its neighbours have none,
 * because a line would not show it.
 */
export function lonePath(values: Values, top: number): string {
  const has = (index: number) => (values[index] ?? null) !== null;
  return values
    .map((value, index) =>
      value === null || has(index - 1) || has(index + 1)
        ? ""
        : `M${placeOf(value, index, values, top)}h.001`,
    )
    .join("");
}

const round = (value: number) => Math.round(100 * value) / 100;

/** Return a function that formats a duration in hours in its best unit. */
export function useHours(): (hours: number | null) => string {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  return (hours) => {
    if (hours === null) return t("none");
    const { unit, value } = duration(hours);
    return t(`unit.${unit}`, { value: formatNumber(value, language) });
  };
}
