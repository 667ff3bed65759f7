/**
 * Show what was scrapped in a period, by reason, process or product, the most first. It names no
 * person: each sees their own at home. See infra/docs/rules.md#scrap.
 */
import Segmented from "antd/es/segmented";
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { useAnswer } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import { ExportButton } from "@/shared/ui/ExportButton";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { PeriodFields } from "./PeriodFields";
import { daysUpTo, periodOf } from "./periods";
import "./reports.css";
import "./flow/flow.css";

const PATH = "/api/reports/scrap";
const USUAL_DAYS = 30;
const BY = ["reason", "process", "item"] as const;

export default function ScrapPage() {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const [address, change] = useAddress();
  const period = periodOf(address.get("from"), address.get("to"), daysUpTo(today(), USUAL_DAYS));
  const by = BY.find((one) => one === address.get("by")) ?? "reason";
  const query = { ...period, by };
  const { data, error, mutate } = useAnswer(PATH, { query });
  const total = data?.reduce((sum, { pieces }) => sum + pieces, 0) ?? 0;
  const most = data?.[0]?.pieces ?? 0;

  return (
    <div className="ob-page">
      <PageTitle title={t("scrap.title")} note={t("scrap.note")} />
      <div className="ob-row ob-apart">
        <div className="ob-row" role="search" aria-label={t("period.label")}>
          <PeriodFields
            label={t("period.label")}
            period={period}
            onChange={(days) =>
              change((next) => {
                const { from, to } = { ...period, ...days };
                next.set("from", from);
                next.set("to", to);
              })
            }
          />
          <Segmented
            aria-label={t("scrap.by")}
            value={by}
            options={BY.map((value) => ({ value, label: t(`column.${value}`) }))}
            onChange={(value) => change((next) => next.set("by", value))}
          />
        </div>
        <ExportButton
          name="scrap"
          ask={(format) => listAsFile(PATH, query, format)}
          total={data?.length}
        />
      </div>
      {data === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {data === undefined && error === undefined && (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      )}
      {data?.length === 0 && <EmptyState drawing="ring" title={t("scrap.none")} />}
      {data !== undefined && data.length > 0 && (
        <section className="ob-surface ob-padded">
          <table className="ob-plain-table ob-figures">
            <thead>
              <tr>
                <th scope="col">{t(`column.${by}`)}</th>
                <th className="ob-flow__share" aria-hidden />
                <th scope="col">{t("column.pieces")}</th>
                <th scope="col">{t("column.share")}</th>
                <th scope="col">{t("column.cumulativeShare")}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((row) => (
                <tr key={row.id}>
                  <th scope="row" className="ob-breaks">
                    {row.name}
                  </th>
                  <td className="ob-flow__share" aria-hidden>
                    <span style={{ width: `${(100 * row.pieces) / most}%` }} />
                  </td>
                  <td>{formatNumber(row.pieces, language)}</td>
                  <td>{t("scrap.percent", { value: formatNumber(row.share, language) })}</td>
                  <td>
                    {t("scrap.percent", { value: formatNumber(row.cumulativeShare, language) })}
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t("dashboard.total")}</th>
                <td className="ob-flow__share" aria-hidden />
                <td>{formatNumber(total, language)}</td>
                <td aria-hidden />
                <td aria-hidden />
              </tr>
            </tfoot>
          </table>
        </section>
      )}
    </div>
  );
}
