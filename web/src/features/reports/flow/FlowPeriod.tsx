/** One of the two compared periods: its days, totals, charts by day, and releases. */
import Skeleton from "antd/es/skeleton";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SWRResponse } from "swr";
import type { Flow } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import type { ApiError } from "@/shared/http/ApiError";
import { useLanguage } from "@/shared/i18n";
import { LoadFailed } from "@/shared/ui/states";
import { useHours } from "../durations";
import { PeriodFields } from "../PeriodFields";
import { daysOf, type Period } from "../periods";
import type { Whose } from "../reports.api";
import { DayLines } from "./DayLines";
import { Calls } from "./Calls";
import { Releases } from "./Releases";

type Measure = "inside" | "waited";

interface Props {
  name: string;
  period: Period;
  whose: Whose;
  flow: SWRResponse<Flow, ApiError>;
  /** The top of each chart, in hours. */
  tops: Record<Measure, number>;
  onPeriod: (period: Period) => void;
}

const MEASURES: readonly Measure[] = ["inside", "waited"];

export function FlowPeriod({ name, period, whose, flow, tops, onPeriod }: Props) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const hours = useHours();
  const title = useId();
  const { data, error, mutate } = flow;
  return (
    <section className="ob-surface ob-stack ob-stack--wide ob-padded" aria-labelledby={title}>
      <div className="ob-row ob-apart">
        <h2 id={title}>{name}</h2>
        <PeriodFields
          label={name}
          period={period}
          onChange={(change) => onPeriod({ ...period, ...change })}
        />
      </div>
      {error !== undefined && <LoadFailed error={error} onRetry={() => void mutate()} />}
      {error === undefined && data === undefined && (
        <div className="ob-flow__waiting">
          <Skeleton active title={false} paragraph={{ rows: 8 }} />
        </div>
      )}
      {error === undefined && data !== undefined && (
        <>
          <table className="ob-plain-table ob-figures">
            <thead>
              <tr>
                <th scope="col">
                  {t("flow.pieces", {
                    count: data.total.pieces,
                    pieces: formatNumber(data.total.pieces, language),
                  })}
                </th>
                <th scope="col">{t("flow.visits")}</th>
                <th scope="col">{t("column.median")}</th>
                <th scope="col">{t("column.p90")}</th>
              </tr>
            </thead>
            <tbody>
              {MEASURES.map((measure) => (
                <tr key={measure}>
                  <th scope="row">{t(`flow.${measure}`)}</th>
                  <td>{formatNumber(data.total[measure].count, language)}</td>
                  <td>{hours(data.total[measure].median)}</td>
                  <td>{hours(data.total[measure].p90)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {MEASURES.map((measure) => (
            <DayLines
              key={measure}
              title={t(`flow.${measure}`)}
              top={tops[measure]}
              days={daysOf({ from: data.from, to: data.to })}
              measured={data.days.map((row) => ({ day: row.day, ...row[measure] }))}
            />
          ))}
          <ByDay flow={data} />
        </>
      )}
      <Releases period={period} whose={whose} />
      <Calls period={period} whose={whose} />
    </section>
  );
}

/**
 * The figures of the charts as a table, for users who cannot see the charts and for exact values.
 */
function ByDay({ flow }: { flow: Flow }) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const hours = useHours();
  return (
    <details className="ob-flow__figures">
      <summary>{t("flow.byDay")}</summary>
      <table className="ob-plain-table ob-figures">
        <thead>
          <tr>
            <th scope="col">{t("column.day")}</th>
            <th scope="col">{t("column.pieces")}</th>
            <th scope="col">{t("flow.inside")}</th>
            <th scope="col">{t("flow.waited")}</th>
          </tr>
        </thead>
        <tbody>
          {flow.days.map((row) => (
            <tr key={row.day}>
              <th scope="row">{row.day}</th>
              <td>{formatNumber(row.pieces, language)}</td>
              <td>{hours(row.inside.median)}</td>
              <td>{hours(row.waited.median)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
