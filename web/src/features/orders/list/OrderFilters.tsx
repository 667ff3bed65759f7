/** Search and filters of the order list; all of it stands in the address. */
import Button from "antd/es/button";
import Select from "antd/es/select";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OrderStatus } from "@/contract";
import { OptionSelect } from "@/shared/form/OptionSelect";
import { useNarrow } from "@/shared/hooks/useNarrow";
import type { TableQuery } from "@/shared/hooks/useTableQuery";
import { DayField } from "@/shared/ui/DayField";
import { SearchField } from "@/shared/ui/SearchField";
import type { OrderFilter } from "../orders.api";

const STATUSES: readonly OrderStatus[] = [
  "New",
  "PartiallyApproved",
  "Approved",
  "InProcess",
  "Done",
  "Invoiced",
  "Canceled",
];
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
          className="ob-orders__filter"
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
  const { status, customerId, from, to } = query.filters;
  return (
    <>
      <Select
        className="ob-orders__filter"
        allowClear
        aria-label={t("list.status")}
        placeholder={t("list.anyStatus")}
        value={status ?? null}
        options={STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
        onChange={(value: string | null | undefined) => query.set({ status: value ?? "" })}
      />
      <OptionSelect
        className="ob-orders__filter ob-orders__filter--wide"
        catalog="customers"
        allowClear
        label={t("list.customer")}
        placeholder={t("list.anyCustomer")}
        value={customerId === undefined ? null : Number(customerId)}
        onChange={(option) => query.set({ customerId: option === null ? "" : String(option.id) })}
      />
      <DayField
        aria-label={t("list.from")}
        placeholder={t("list.from")}
        value={from ?? null}
        onChange={(day) => query.set({ from: day ?? "" })}
      />
      <DayField
        aria-label={t("list.to")}
        placeholder={t("list.to")}
        value={to ?? null}
        onChange={(day) => query.set({ to: day ?? "" })}
      />
    </>
  );
}
