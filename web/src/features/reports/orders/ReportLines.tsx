import Button from "antd/es/button";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { LineReportRow } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { StatusChip } from "@/shared/ui/Chip";
import { DataTable } from "@/shared/ui/DataTable";
import { Fact, Facts } from "@/shared/ui/Facts";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { Quantity } from "@/entities/standing/Quantity";
import { useReport, useReportTotals, type ReportFilter } from "../reports.api";
import { reportColumns } from "./columns";

const TOTALS = ["lines", "quantity", "quantityDone", "quantityBilled", "late"] as const;

/** Most lines that are printed. A longer report is more useful as a file. */
export const MOST_PRINTED = 1_000;

interface Props {
  query: TableQuery<ReportFilter>;
  /** Load all lines, at most `MOST_PRINTED`, and then print. */
  printing: boolean;
  onPrinted: () => void;
}

export function ReportLines({ query, printing, onPrinted }: Props) {
  const { t } = useTranslation(["reports", "shared", "orders"]);
  const language = useLanguage();
  const { rows, error, more, retry } = useReport(query);
  const { data: totals } = useReportTotals(query);
  const columns = useMemo(() => reportColumns(t, language), [t, language]);
  const whole = rows !== undefined && (more === undefined || rows.length >= MOST_PRINTED);
  useEffect(() => {
    if (!printing || !whole) return;
    window.print();
    onPrinted();
  }, [printing, whole, onPrinted]);
  if (error !== undefined) {
    return (
      <div className="ob-surface">
        <LoadFailed error={error} onRetry={retry} />
      </div>
    );
  }
  return (
    <>
      <Facts>
        {TOTALS.map((name) => (
          <Fact key={name} name={t(`salesOrdersReport.totals.${name}`)}>
            {totals === undefined ? "…" : formatNumber(totals[name], language)}
          </Fact>
        ))}
      </Facts>
      <DataTable<LineReportRow>
        rowKey="id"
        label={t("salesOrdersReport.title")}
        columns={columns}
        fits
        rows={rows}
        total={Math.max(totals?.lines ?? 0, rows?.length ?? 0)}
        ordering={query.ordering}
        onOrder={(ordering) => query.set({ ordering })}
        onMore={more}
        renderCard={(row) => <ReportCard row={row} />}
        empty={
          <EmptyState
            drawing="loupe"
            title={t("shared:table.noMatch")}
            hint={t("shared:table.noMatchHint")}
            action={<Button onClick={query.clear}>{t("salesOrdersReport.clear")}</Button>}
          />
        }
      />
    </>
  );
}

function ReportCard({ row }: { row: LineReportRow }) {
  return (
    <div className="ob-stack ob-stack--tight ob-card">
      <span className="ob-words ob-apart">
        <strong>
          {row.customerSalesOrderId} · {row.position}
        </strong>
        <StatusChip status={row.status} />
      </span>
      <span>{row.itemName}</span>
      <span className="ob-quiet">
        {row.customerName} · <Quantity line={row} said /> · {row.salesOrderDate}
      </span>
    </div>
  );
}
