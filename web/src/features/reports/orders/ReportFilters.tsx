/** What the report of sales orders is narrowed to; all of it stands in the address. */
import Select from "antd/es/select";
import { useTranslation } from "react-i18next";
import type { LineStatus } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { DayField } from "@/shared/ui/DayField";
import type { ReportFilter } from "../reports.api";

const STATUSES: readonly LineStatus[] = [
  "New",
  "Approved",
  "InProcess",
  "Done",
  "Invoiced",
  "Canceled",
];

export function ReportFilters({ query }: { query: TableQuery<ReportFilter> }) {
  const { t } = useTranslation(["reports", "shared"]);
  const { filters, set } = query;
  return (
    <>
      {(["from", "to"] as const).map((name) => (
        <DayField
          key={name}
          aria-label={t(`period.${name}`)}
          placeholder={t(`period.${name}`)}
          value={filters[name] ?? null}
          onChange={(day) => set({ [name]: day ?? "" })}
        />
      ))}
      <OptionSelect
        className="ob-filter"
        catalog="customers"
        allowClear
        label={t("column.customer")}
        placeholder={t("orders.anyCustomer")}
        value={filters.customerId === undefined ? null : Number(filters.customerId)}
        onChange={(option) => set({ customerId: option === null ? "" : String(option.id) })}
      />
      <Select
        className="ob-filter"
        allowClear
        aria-label={t("column.status")}
        placeholder={t("orders.anyStatus")}
        value={filters.status ?? null}
        options={STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
        onChange={(value: string | null | undefined) => set({ status: value ?? "" })}
      />
    </>
  );
}
