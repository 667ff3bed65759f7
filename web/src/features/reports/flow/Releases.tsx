/** Show why pieces were taken back from each process in a period, and how many. */
import Skeleton from "antd/es/skeleton";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useAnswer } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import { ExportButton } from "@/shared/ui/ExportButton";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import type { Period } from "../periods";
import type { Whose } from "../reports.api";

const PATH = "/api/reports/releases";

export function Releases({ period, whose }: { period: Period; whose: Whose }) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const title = useId();
  const query = { ...period, ...whose };
  const { data, error, mutate } = useAnswer(PATH, { query }, { keepPreviousData: true });
  return (
    <section className="ob-stack" aria-labelledby={title}>
      <div className="ob-row ob-apart">
        <h3 id={title}>{t("flow.releasesByReason")}</h3>
        <ExportButton
          name="releases"
          ask={(format) => listAsFile(PATH, query, format)}
          total={data?.length}
        />
      </div>
      {data === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {data === undefined && error === undefined && (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      )}
      {data?.length === 0 && <EmptyState drawing="ring" title={t("flow.noReleases")} />}
      {data !== undefined && data.length > 0 && (
        <table className="ob-plain-table ob-figures">
          <thead>
            <tr>
              <th scope="col">{t("column.process")}</th>
              <th className="ob-flow__reason" scope="col">
                {t("column.reason")}
              </th>
              <th scope="col">{t("column.releases")}</th>
              <th scope="col">{t("column.pieces")}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={`${row.productionProcessId} ${row.reason}`}>
                <th scope="row">{row.productionProcessName}</th>
                <td className="ob-flow__reason">{row.reasonName || t("flow.noReason")}</td>
                <td>{formatNumber(row.releases, language)}</td>
                <td>{formatNumber(row.pieces, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
