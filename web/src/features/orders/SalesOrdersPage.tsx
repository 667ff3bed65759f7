/** The list of sales orders: search, filters and order in the address, rows that follow the live events. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { OrderSummary } from "@/contract";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ListPage } from "@/shared/ui/ListPage";
import { orderColumns } from "./list/columns";
import { OrderCard } from "./list/OrderCard";
import { OrderFilters } from "./list/OrderFilters";
import { ORDER_FILTERS, useOrders, type OrderFilter } from "./orders.api";
import { NEW_ORDER, orderPath } from "./paths";
import { ScanButton } from "./scanning/ScanButton";

export default function SalesOrdersPage() {
  const { t } = useTranslation(["orders", "shared"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const mayCreate = useMay("CreateSalesOrder");
  const query = useTableQuery(ORDER_FILTERS);
  const list = useOrders(query);
  const columns = useMemo(() => orderColumns(t, language), [t, language]);
  const add = { label: t("list.new"), onClick: () => void navigate(NEW_ORDER) };

  return (
    <ListPage<OrderSummary, OrderFilter>
      title={t("list.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("list.search")}
      filters={<OrderFilters query={query} />}
      actions={<ScanButton />}
      add={mayCreate ? add : undefined}
      emptyTitle={t("list.empty")}
      emptyHint={mayCreate ? t("list.emptyHint") : t("list.emptyHintRead")}
      onOpen={({ id }) => void navigate(orderPath(id))}
      renderCard={(order) => <OrderCard order={order} />}
    />
  );
}
