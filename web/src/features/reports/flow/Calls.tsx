/** Show how often each process called in a period, for what, and how long it waited. Never by person. */
import Skeleton from "antd/es/skeleton";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useAnswer } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import { ExportButton } from "@/shared/ui/ExportButton";
import { LoadFailed } from "@/shared/ui/states";
import type { Period } from "../periods";
import type { Whose } from "../reports.api";

const PATH = "/api/reports/calls";

export function Calls({ period, whose }: { period: Period; whose: Whose }) {
  const { t } = useTranslation(["reports", "talk"]);
  const language = useLanguage();
  const title = useId();
  const query = { ...period, ...whose };
  const { data, error, mutate } = useAnswer(PATH, { query }, { keepPreviousData: true });
  return (
    <section className="ob-stack" aria-labelledby={title}>
      <div className="ob-row ob-apart">
        <h3 id={title}>{t("flow.calls")}</h3>
        <ExportButton
          name="calls"
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
      {data?.length === 0 && <p className="ob-quiet">{t("flow.noCalls")}</p>}
      {data !== undefined && data.length > 0 && (
        <table className="ob-plain-table ob-figures">
          <thead>
            <tr>
              <th scope="col">{t("column.process")}</th>
              <th className="ob-flow__reason" scope="col">
                {t("flow.call")}
              </th>
              <th scope="col">{t("flow.callsCount")}</th>
              <th scope="col">{t("flow.answered")}</th>
              <th scope="col">{t("flow.median")}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={`${row.productionProcessId} ${row.kind}`}>
                <th scope="row">{row.productionProcessName || t("flow.noProcess")}</th>
                <td className="ob-flow__reason">{t(`talk:kind.${row.kind}`)}</td>
                <td>{formatNumber(row.calls, language)}</td>
                <td>{formatNumber(row.answered, language)}</td>
                <td>
                  {row.medianMinutes === null
                    ? ""
                    : t("flow.minutes", { minutes: formatNumber(row.medianMinutes, language) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
