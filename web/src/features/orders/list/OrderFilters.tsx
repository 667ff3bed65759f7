/** Search and filters of the order list; all of it stands in the address. */
import Button from "antd/es/button";
import Select from "antd/es/select";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNarrow } from "@/shared/hooks/useNarrow";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { ORDER_STATUSES } from "@/shared/statuses";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/ui/filters";
import { SearchField } from "@/shared/ui/SearchField";
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
  const count = Object.keys(query.filters).length;
  const [open, setOpen] = useState(count > 0);
  return (
    <div className="ob-toolbar" role="search" aria-label={t("list.filters")}>
      <SearchField
        value={query.search}
        label={t("list.search")}
        onSearch={(search) => query.set({ search })}
      />
      {narrow && (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("list.filters")}
          {count > 0 && ` · ${count}`}
        </Button>
      )}
      {(open || !narrow) && <Filters query={query} />}
      {narrow && open && (
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
      {query.isFiltered && (
        <Button type="link" onClick={query.clear}>
          {t("shared:action.clearFilters")}
        </Button>
      )}
    </div>
  );
}

function Filters({ query }: { query: TableQuery<OrderFilter> }) {
  const { t } = useTranslation(["orders", "shared"]);
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
    </>
  );
}
