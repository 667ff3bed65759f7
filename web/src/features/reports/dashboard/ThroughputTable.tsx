/** Show what left each process in the period, and how long it was inside. */
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { LoadFailed } from "@/shared/ui/states";
import { useHours } from "../durations";
import type { Period } from "../periods";
import { useThroughput } from "../reports.api";
import { Bars } from "./Bars";

export function ThroughputTable({ period }: { period: Period }) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const hours = useHours();
  const { data, error, mutate } = useThroughput(period);
  return (
    <section
      className="ob-surface ob-stack ob-stack--wide ob-padded"
      aria-labelledby="ob-throughput"
    >
      <h2 id="ob-throughput">{t("throughput.title")}</h2>
      {data === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {data === undefined && error === undefined && (
        <Skeleton active title={false} paragraph={{ rows: 7 }} />
      )}
      {data !== undefined && (
        <Bars
          direction="right"
          unit={t("column.pieces")}
          rows={data.map(({ productionProcessId, productionProcessName, pieces }) => ({
            key: String(productionProcessId),
            name: productionProcessName,
            value: pieces,
          }))}
        />
      )}
      {data !== undefined && (
        <table className="ob-plain-table ob-figures">
          <thead>
            <tr>
              <th scope="col">{t("column.process")}</th>
              <th scope="col">{t("column.piecesOut")}</th>
              <th scope="col">{t("column.median")}</th>
              <th scope="col">{t("column.p90")}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={row.productionProcessId}>
                <th scope="row">{row.productionProcessName}</th>
                <td>{formatNumber(row.pieces, language)}</td>
                <td>{hours(row.inside.median)}</td>
                <td>{hours(row.inside.p90)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
