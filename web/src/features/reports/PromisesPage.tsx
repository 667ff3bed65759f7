/** How many promised, offered and forecast days were kept, by the month of the day. */
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import type { Promises } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { useAnswer } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { PROMISES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { ExportButton } from "@/shared/ui/ExportButton";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { PeriodFields } from "./PeriodFields";
import { periodOf } from "./periods";
import "./reports.css";
import "./PromisesPage.css";

/** The first day of the month eleven months before. */
function yearUpTo(day: string): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}

export default function PromisesPage() {
  const { t } = useTranslation("reports");
  const [address, change] = useAddress();
  const usual = { from: yearUpTo(today()), to: today() };
  const query = periodOf(address.get("from"), address.get("to"), usual);
  const { data, error, mutate } = useAnswer(PROMISES, { query }, { keepPreviousData: true });
  return (
    <div className="ob-page">
      <PageTitle
        title={t("promises.title")}
        note={t("promises.note")}
        actions={
          <ExportButton
            name="promises"
            ask={(format) => listAsFile(PROMISES, query, format)}
            total={data?.length}
          />
        }
      />
      <div className="ob-row">
        <PeriodFields
          label={t("promises.period")}
          period={query}
          onChange={(part) =>
            change((next) => {
              for (const [name, day] of Object.entries(part)) next.set(name, day);
            })
          }
        />
      </div>
      <section className="ob-surface ob-padded" aria-label={t("promises.title")}>
        {data === undefined && error !== undefined && (
          <LoadFailed error={error} onRetry={() => void mutate()} />
        )}
        {data === undefined && error === undefined && (
          <Skeleton active title={false} paragraph={{ rows: 6 }} />
        )}
        {data?.length === 0 && (
          <EmptyState drawing="ring" title={t("promises.none")} hint={t("promises.noneHint")} />
        )}
        {data !== undefined && data.length > 0 && <Months rows={data} />}
      </section>
    </div>
  );
}

const SAID = [
  ["kept80", "lines80", false],
  ["kept50", "lines50", true],
  ["kept90", "lines90", true],
] as const;

function Months({ rows }: { rows: readonly Promises[] }) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const number = (value: number) => formatNumber(value, language);
  return (
    <table className="ob-plain-table ob-figures">
      <thead>
        <tr>
          <th scope="col">{t("promises.month")}</th>
          <th scope="col">{t("column.lines")}</th>
          <th scope="col">{t("promises.delivery")}</th>
          <th scope="col">{t("promises.offered")}</th>
          {SAID.map(([name, , isMore]) => (
            <th key={name} scope="col" className={isMore ? "ob-promises__more" : ""}>
              {t(`promises.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.month}>
            <th scope="row" className="ob-nowrap">
              {row.month.slice(0, 7)}
            </th>
            <td>{number(row.lines)}</td>
            <td>
              <Share kept={row.promisedKept} of={row.promised} open={row.open} />
            </td>
            <td>
              <Share kept={row.offeredKept} of={row.offered} />
            </td>
            {SAID.map(([name, byLine, isMore]) => (
              <td key={name} className={isMore ? "ob-promises__more" : ""}>
                <Said kept={row[name]} byLine={row[byLine]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `75 %` and, smaller, `3 of 4 · 1 open`. */
function Share({ kept, of, open = 0 }: { kept: number; of: number; open?: number }) {
  const { t } = useTranslation("reports");
  if (of === 0) return t("none");
  return (
    <>
      {t("promises.percent", { percent: Math.round((100 * kept) / of) })}
      <span className="ob-quiet ob-small ob-promises__of">
        {t("promises.of", { kept, of })}
        {open > 0 && ` · ${t("promises.open", { count: open })}`}
      </span>
    </>
  );
}

/** What was kept of all forecasts and, smaller, where each line weighs the same. */
function Said({ kept, byLine }: { kept: number | null; byLine: number | null }) {
  const { t } = useTranslation("reports");
  if (kept === null || byLine === null) return t("none");
  return (
    <>
      {t("promises.percent", { percent: Math.round(kept) })}
      <span className="ob-quiet ob-small ob-promises__of">
        {t("promises.byLine", { percent: Math.round(byLine) })}
      </span>
    </>
  );
}
