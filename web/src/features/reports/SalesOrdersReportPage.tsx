/** The report of sales orders: empty until it is asked for, filtered, summed, exported, printed, and cleared again. */
import PrinterOutlined from "@ant-design/icons/es/icons/PrinterOutlined";
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAddress } from "@/shared/hooks/useAddress";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { LINE_STATUSES } from "@/shared/statuses";
import { ExportButton } from "@/shared/ui/ExportButton";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/ui/filters";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState } from "@/shared/ui/states";
import { Toolbar } from "@/shared/ui/Toolbar";
import { MOST_PRINTED, ReportLines } from "./orders/ReportLines";
import { exportReport, REPORT_FILTERS, useReportTotals, type ReportFilter } from "./reports.api";
import "./reports.css";

export default function SalesOrdersReportPage() {
  const { t } = useTranslation("reports");
  const query = useTableQuery(REPORT_FILTERS);
  // A search or a filter asks for the report; "show all" asks for it without one.
  const shown = query.isFiltered;
  const [printing, setPrinting] = useState(false);
  const [, change] = useAddress();

  function print() {
    change((next) => next.set("show", String(MOST_PRINTED)));
    setPrinting(true);
  }

  return (
    <div className="ob-page">
      <PageTitle
        title={t("orders.title")}
        actions={
          shown && (
            <>
              <Button onClick={query.clear}>{t("orders.clear")}</Button>
              <Button icon={<PrinterOutlined aria-hidden />} loading={printing} onClick={print}>
                {t("orders.print")}
              </Button>
              <ReportFile query={query} />
            </>
          )
        }
      />
      <Toolbar
        query={{ ...query, isFiltered: false }} // its own way to clear stands above
        searchLabel={t("orders.search")}
        filters={<ReportFilters query={query} />}
      />
      {shown ? (
        <ReportLines query={query} printing={printing} onPrinted={() => setPrinting(false)} />
      ) : (
        <div className="ob-surface">
          <EmptyState
            title={t("orders.empty")}
            hint={t("orders.emptyHint")}
            action={
              <Button type="primary" onClick={() => query.set({ shown: "all" })}>
                {t("orders.showAll")}
              </Button>
            }
          />
        </div>
      )}
    </div>
  );
}

/** The report as a file; how many lines it has its totals say. */
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

/** What the report of sales orders is narrowed to; all of it stands in the address. */
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
        placeholder={t("orders.anyCustomer")}
      />
      <ChoiceFilter
        query={query}
        name="status"
        label={t("column.status")}
        placeholder={t("orders.anyStatus")}
        options={LINE_STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
      />
    </>
  );
}
