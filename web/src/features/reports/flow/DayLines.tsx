/**
 * Chart of the median and the 90th percentile of each day, as two lines. Plain SVG, because a chart
 * library would be too heavy here.
 */
import { useTranslation } from "react-i18next";
import type { Spread } from "@/contract";
import { linePath, useHours } from "../durations";

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
  const line = (name: "median" | "p90") =>
    linePath(
      days.map((day) => byDay.get(day)?.[name] ?? null),
      top,
    );
  return (
    <figure>
      <figcaption className="ob-row ob-below">
        <span className="ob-first ob-strong">{title}</span>
        <span className="ob-quiet ob-small ob-day-lines__key">{t("column.median")}</span>
        <span className="ob-quiet ob-small ob-day-lines__key ob-day-lines__key--p90">
          {t("column.p90")}
        </span>
      </figcaption>
      <div className="ob-day-lines__chart">
        <span className="ob-quiet ob-small ob-day-lines__top">{hours(top)}</span>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={title}>
          <path className="ob-day-lines__grid" d="M0 0H100M0 50H100M0 100H100" />
          <path className="ob-day-lines__p90" d={line("p90")} />
          <path className="ob-day-lines__median" d={line("median")} />
        </svg>
      </div>
      <div className="ob-quiet ob-small ob-bar ob-apart">
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </div>
    </figure>
  );
}
