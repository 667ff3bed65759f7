/** What the order list is narrowed to, and on a phone how it is ordered; all of it stands in the address. */
import Select from "antd/es/select";
import { useTranslation } from "react-i18next";
import { useNarrow } from "@/shared/hooks/useNarrow";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { ORDER_STATUSES } from "@/shared/statuses";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/ui/filters";
import type { OrderFilter } from "../orders.api";

const ORDERINGS = {
  "": "newestFirst",
  "-salesOrderDate": "byDate",
  customerSalesOrderId: "byPo",
  customerName: "byCustomer",
  status: "byStatus",
} as const;

export function OrderFilters({ query }: { query: TableQuery<OrderFilter> }) {
  const { t } = useTranslation(["orders", "shared"]);
  const narrow = useNarrow();
  return (
    <>
      <ChoiceFilter
        query={query}
        name="status"
        label={t("list.status")}
        placeholder={t("list.anyStatus")}
        options={ORDER_STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
      />
      <OptionFilter
        query={query}
        name="customerId"
        catalog="customers"
        label={t("list.customer")}
        placeholder={t("list.anyCustomer")}
      />
      <DaysFilter query={query} />
      {narrow && (
        <Select
          className="ob-filter"
          aria-label={t("list.order")}
          value={query.ordering}
          options={Object.entries(ORDERINGS).map(([value, name]) => ({
            value,
            label: t(`list.${name}`),
          }))}
          onChange={(ordering) => query.set({ ordering })}
        />
      )}
    </>
  );
}
