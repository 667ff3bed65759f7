/**
 * Chart of the median and the 90th percentile of each day, as two lines. Plain SVG, because a chart
 * library would be too heavy here.
 */
import { useTranslation } from "react-i18next";
import type { Spread } from "@/contract";
import { linePath, lonePath, useHours } from "../durations";

interface Props {
  title: string;
  /** The value at the top of the chart, in hours. */
  top: number;
  days: readonly string[];
  /** The days with a value. */
  measured: readonly (Spread & { day: string })[];
}

export function DayLines({ title, top, days, measured }: Props) {
  const { t } = useTranslation("reports");
  const hours = useHours();
  const byDay = new Map(measured.map((row) => [row.day, row]));
  const valuesOf = (name: "median" | "p90") => days.map((day) => byDay.get(day)?.[name] ?? null);
  const isEmpty = valuesOf("median").every((value) => value === null);
  return (
    <figure>
      <figcaption className="ob-row ob-below">
        <span className="ob-first ob-strong">{title}</span>
        <span className="ob-quiet ob-small ob-day-lines__key">{t("column.median")}</span>
        <span className="ob-quiet ob-small ob-day-lines__key ob-day-lines__key--p90">
          {t("column.p90")}
        </span>
      </figcaption>
      {isEmpty ? (
        <p className="ob-quiet">{t("flow.noneMeasured")}</p>
      ) : (
        <div className="ob-day-lines__chart">
          <div className="ob-quiet ob-small ob-day-lines__axis" aria-hidden>
            <span>{hours(top)}</span>
            <span>{hours(top / 2)}</span>
            <span>0</span>
          </div>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={title}>
            <path className="ob-day-lines__grid" d="M0 0H100M0 50H100M0 100H100" />
            <path className="ob-day-lines__p90" d={linePath(valuesOf("p90"), top)} />
            <path className="ob-day-lines__median" d={linePath(valuesOf("median"), top)} />
            <path className="ob-day-lines__lone" d={lonePath(valuesOf("median"), top)} />
          </svg>
          <div className="ob-quiet ob-small ob-bar ob-apart ob-day-lines__days" aria-hidden>
            {[days[0], days[Math.floor(days.length / 2)], days.at(-1)]
              .filter((day, place, all) => all.indexOf(day) === place)
              .map((day) => (
                <span key={day}>{day}</span>
              ))}
          </div>
        </div>
      )}
    </figure>
  );
}
