/**
 * Rank the processes by the time that half of their pieces need, slowest first. A click limits the
 * flow to one process.
 */
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { useHours } from "../durations";
import type { Period } from "../periods";
import { useThroughput } from "../reports.api";

interface Props {
  period: Period;
  onPick: (productionProcessId: number) => void;
}

export function Ranking({ period, onPick }: Props) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const hours = useHours();
  const measured = (useThroughput(period).data ?? []).flatMap(({ inside, ...row }) =>
    inside.median === null ? [] : [{ ...row, median: inside.median, p90: inside.p90 }],
  );
  const ranked = measured.toSorted((one, other) => other.median - one.median);
  const slowest = ranked[0]?.median ?? 0;
  if (ranked.length === 0) return null;
  return (
    <section className="ob-surface ob-stack ob-padded" aria-labelledby="ob-ranking">
      <h2 id="ob-ranking">{t("flow.ranking")}</h2>
      <table className="ob-plain-table ob-figures">
        <thead>
          <tr>
            <th scope="col">{t("column.process")}</th>
            <th className="ob-flow__share" aria-hidden />
            <th scope="col">{t("column.median")}</th>
            <th scope="col">{t("column.p90")}</th>
            <th scope="col">{t("column.piecesOut")}</th>
          </tr>
        </thead>
        <tbody>
          {ranked.map((row, place) => (
            <tr key={row.productionProcessId}>
              <th scope="row">
                <button
                  type="button"
                  className="ob-flow__process"
                  onClick={() => onPick(row.productionProcessId)}
                >
                  {place + 1}. {row.productionProcessName}
                </button>
              </th>
              <td className="ob-flow__share" aria-hidden>
                <span style={{ width: `${slowest === 0 ? 0 : (100 * row.median) / slowest}%` }} />
              </td>
              <td>{hours(row.median)}</td>
              <td>{hours(row.p90)}</td>
              <td>{formatNumber(row.pieces, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
