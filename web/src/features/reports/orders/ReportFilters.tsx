/** What the report of sales orders is narrowed to; all of it stands in the address. */
import { useTranslation } from "react-i18next";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { LINE_STATUSES } from "@/shared/statuses";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/ui/filters";
import type { ReportFilter } from "../reports.api";

export function ReportFilters({ query }: { query: TableQuery<ReportFilter> }) {
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
