/** What the list of all lines is narrowed to; all of it stands in the address. */
import Checkbox from "antd/es/checkbox";
import Select from "antd/es/select";
import { useTranslation } from "react-i18next";
import type { LineStatus } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { DayField } from "@/shared/ui/DayField";
import type { LineFilter } from "../orders.api";

const STATUSES: readonly LineStatus[] = [
  "New",
  "Approved",
  "InProcess",
  "Done",
  "Invoiced",
  "Canceled",
];
const ONE_OF = [
  ["customerId", "customers", "list.customer", "list.anyCustomer"],
  ["productionProcessId", "production-processes", "lines.process", "lines.anyProcess"],
] as const;

export function LineFilters({ query }: { query: TableQuery<LineFilter> }) {
  const { t } = useTranslation(["orders", "shared"]);
  const { filters, set } = query;
  return (
    <>
      <Select
        className="ob-filter"
        allowClear
        aria-label={t("list.status")}
        placeholder={t("list.anyStatus")}
        value={filters.status ?? null}
        options={STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
        onChange={(value: string | null | undefined) => set({ status: value ?? "" })}
      />
      {ONE_OF.map(([name, catalog, label, placeholder]) => (
        <OptionSelect
          key={name}
          className="ob-filter"
          catalog={catalog}
          allowClear
          label={t(label)}
          placeholder={t(placeholder)}
          value={filters[name] === undefined ? null : Number(filters[name])}
          onChange={(option) => set({ [name]: option === null ? "" : String(option.id) })}
        />
      ))}
      {(["from", "to"] as const).map((name) => (
        <DayField
          key={name}
          aria-label={t(`list.${name}`)}
          placeholder={t(`list.${name}`)}
          value={filters[name] ?? null}
          onChange={(day) => set({ [name]: day ?? "" })}
        />
      ))}
      <Checkbox
        checked={filters.late === "true"}
        onChange={({ target }) => set({ late: target.checked ? "true" : "" })}
      >
        {t("lines.onlyLate")}
      </Checkbox>
    </>
  );
}
