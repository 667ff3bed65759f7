/** What the list of all lines is narrowed to; all of it stands in the address. */
import Checkbox from "antd/es/checkbox";
import { useTranslation } from "react-i18next";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { LINE_STATUSES } from "@/shared/statuses";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/ui/filters";
import type { LineFilter } from "../orders.api";

export function LineFilters({ query }: { query: TableQuery<LineFilter> }) {
  const { t } = useTranslation(["orders", "shared"]);
  return (
    <>
      <ChoiceFilter
        query={query}
        name="status"
        label={t("list.status")}
        placeholder={t("list.anyStatus")}
        options={LINE_STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
      />
      <OptionFilter
        query={query}
        name="customerId"
        catalog="customers"
        label={t("list.customer")}
        placeholder={t("list.anyCustomer")}
      />
      <OptionFilter
        query={query}
        name="productionProcessId"
        catalog="production-processes"
        label={t("lines.process")}
        placeholder={t("lines.anyProcess")}
      />
      <DaysFilter query={query} />
      <Checkbox
        checked={query.filters.late === "true"}
        onChange={({ target }) => query.set({ late: target.checked ? "true" : "" })}
      >
        {t("lines.onlyLate")}
      </Checkbox>
    </>
  );
}
