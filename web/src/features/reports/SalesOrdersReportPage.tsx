/**
 * Report of sales orders. It opens with the orders of the last 30 days, and can be cleared, filtered, exported and
 * printed.
 */
import PrinterOutlined from "@ant-design/icons/es/icons/PrinterOutlined";
import Button from "antd/es/button";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { today } from "@/shared/format/plant";
import { useAddress } from "@/shared/hooks/useAddress";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { LINE_STATUSES } from "@/entities/statuses";
import { ExportButton } from "@/shared/ui/ExportButton";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/form/filters";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState } from "@/shared/ui/states";
import { Toolbar } from "@/shared/ui/Toolbar";
import { MOST_PRINTED, ReportLines } from "./orders/ReportLines";
import { daysUpTo } from "./periods";
import { exportReport, REPORT_FILTERS, useReportTotals, type ReportFilter } from "./reports.api";
import "./reports.css";

const USUAL_DAYS = 30;

export default function SalesOrdersReportPage() {
  const { t } = useTranslation("reports");
  const query = useTableQuery(REPORT_FILTERS);
  // A search or a filter shows the report; "show all" shows it without one.
  const shown = query.isFiltered;
  const [printing, setPrinting] = useState(false);
  const [, change] = useAddress();
  // The menu opens this page without a filter: show the most usual report. Clearing the filters
  // leaves the page empty.
  const answer = useEffectEvent(() => {
    if (!shown) query.set({ from: daysUpTo(today(), USUAL_DAYS).from });
  });
  useEffect(() => answer(), []);

  function print() {
    change((next) => next.set("show", String(MOST_PRINTED)));
    setPrinting(true);
  }

  return (
    <div className="ob-page">
      <PageTitle
        title={t("salesOrdersReport.title")}
        actions={
          shown && (
            <>
              <Button onClick={query.clear}>{t("salesOrdersReport.clear")}</Button>
              <Button icon={<PrinterOutlined aria-hidden />} loading={printing} onClick={print}>
                {t("salesOrdersReport.print")}
              </Button>
              <ReportFile query={query} />
            </>
          )
        }
      />
      <Toolbar
        query={{ ...query, isFiltered: false }} // the page has its own button to clear
        searchLabel={t("salesOrdersReport.search")}
        filters={<ReportFilters query={query} />}
      />
      {shown ? (
        <ReportLines query={query} printing={printing} onPrinted={() => setPrinting(false)} />
      ) : (
        <div className="ob-surface">
          <EmptyState
            drawing="sheet"
            title={t("salesOrdersReport.empty")}
            hint={t("salesOrdersReport.emptyHint")}
            action={
              <Button type="primary" onClick={() => query.set({ shown: "all" })}>
                {t("salesOrdersReport.showAll")}
              </Button>
            }
          />
        </div>
      )}
    </div>
  );
}

/** Export the report. Its totals give the number of lines. */
function ReportFile({ query }: { query: TableQuery<ReportFilter> }) {
  const { data } = useReportTotals(query);
  return (
    <ExportButton
      name="sales-orders"
      total={data?.lines}
      ask={(format) => exportReport(query, format)}
    />
  );
}

/** Filters of the report. All of them are kept in the page's address. */
function ReportFilters({ query }: { query: TableQuery<ReportFilter> }) {
  const { t } = useTranslation(["reports", "shared"]);
  return (
    <>
      <DaysFilter query={query} />
      <OptionFilter
        query={query}
        name="customerId"
        catalog="customers"
        label={t("column.customer")}
        placeholder={t("salesOrdersReport.anyCustomer")}
      />
      <ChoiceFilter
        query={query}
        name="status"
        label={t("column.status")}
        placeholder={t("salesOrdersReport.anyStatus")}
        options={LINE_STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
      />
    </>
  );
}
