/** The list of sales orders: search, filters and order in the address, rows that follow the live events. */
import PlusOutlined from "@ant-design/icons/es/icons/PlusOutlined";
import Button from "antd/es/button";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { formatNumber } from "@/shared/format/numbers";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { DataTable } from "@/shared/ui/DataTable";
import { EmptyState } from "@/shared/ui/EmptyState";
import { LoadFailed } from "@/shared/ui/LoadFailed";
import { PageTitle } from "@/shared/ui/PageTitle";
import { orderColumns } from "./list/columns";
import { OrderCard } from "./list/OrderCard";
import { OrderFilters } from "./list/OrderFilters";
import { ORDER_FILTERS, useOrders } from "./orders.api";
import { NEW_ORDER, orderPath } from "./paths";
import { ScanButton } from "./scanning/ScanButton";

export default function SalesOrdersPage() {
  const { t } = useTranslation(["orders", "shared"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const mayCreate = useMay("CreateSalesOrder");
  const query = useTableQuery(ORDER_FILTERS);
  const { rows, total, exact, error, more, retry } = useOrders(query);
  const columns = useMemo(() => orderColumns(t, language), [t, language]);

  const create = mayCreate && (
    <Button
      type="primary"
      icon={<PlusOutlined aria-hidden />}
      onClick={() => void navigate(NEW_ORDER)}
    >
      {t("list.new")}
    </Button>
  );
  return (
    <div className="ob-page">
      <PageTitle
        title={t("list.title")}
        note={
          rows === undefined
            ? undefined
            : exact
              ? t("list.count", { count: total })
              : t("shared:table.moreThan", { total: formatNumber(total, language) })
        }
        actions={
          <>
            <ScanButton />
            {create}
          </>
        }
      />
      <OrderFilters query={query} />
      {error !== undefined ? (
        <div className="ob-surface">
          <LoadFailed error={error} onRetry={retry} />
        </div>
      ) : (
        <DataTable
          rowKey="id"
          label={t("list.label")}
          columns={columns}
          rows={rows}
          total={total}
          exact={exact}
          ordering={query.ordering}
          onOrder={(ordering) => query.set({ ordering })}
          onMore={more}
          onOpen={({ id }) => void navigate(orderPath(id))}
          renderCard={(order) => <OrderCard order={order} />}
          empty={
            query.isFiltered ? (
              <EmptyState
                title={t("shared:table.noMatch")}
                hint={t("shared:table.noMatchHint")}
                action={<Button onClick={query.clear}>{t("shared:action.clearFilters")}</Button>}
              />
            ) : (
              <EmptyState
                title={t("list.empty")}
                hint={mayCreate ? t("list.emptyHint") : t("list.emptyHintRead")}
                action={create}
              />
            )
          }
        />
      )}
    </div>
  );
}
