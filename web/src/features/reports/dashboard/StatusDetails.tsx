/** List the orders behind a number of the dashboard. */
import Drawer from "antd/es/drawer";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { OrderReportRow, OrderStatus } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useFocusBack, useNarrow } from "@/shared/hooks/browser";
import { PAGE_SIZE } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { DataTable, type Columns } from "@/shared/ui/DataTable";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import type { Period } from "../periods";
import { useStatusCounts, useStatusDetails } from "../reports.api";

interface Props {
  status: OrderStatus;
  period: Period;
  onClose: () => void;
}

export function StatusDetails({ status, period, onClose }: Props) {
  const { t } = useTranslation(["reports", "shared"]);
  const language = useLanguage();
  const narrow = useNarrow();
  const mayOpen = useMay("ListSalesOrders");
  useFocusBack();
  const [show, setShow] = useState(PAGE_SIZE);
  const list = useStatusDetails(status, period, { show, more: () => setShow(show + PAGE_SIZE) });
  const total = useStatusCounts(period)?.find((row) => row.status === status)?.count;
  const order = (row: OrderReportRow) =>
    mayOpen ? (
      <Link to={`/operations/sales-orders/${row.id}`}>{row.customerSalesOrderId}</Link>
    ) : (
      row.customerSalesOrderId
    );
  const columns: Columns<OrderReportRow> = [
    { key: "po", title: t("column.po"), render: (_, row) => order(row) },
    { key: "customer", title: t("column.customer"), dataIndex: "customerName" },
    { key: "date", title: t("column.orderDate"), dataIndex: "salesOrderDate" },
    { key: "lines", title: t("column.lines"), dataIndex: "lines", align: "right" },
    {
      key: "pieces",
      title: t("column.pieces"),
      align: "right",
      render: (_, row) => formatNumber(row.quantity, language),
    },
    {
      key: "delivery",
      title: t("column.delivery"),
      render: (_, row) => row.deliveryDate ?? t("none"),
    },
  ];
  return (
    <Drawer
      open
      title={t("dashboard.details", { status: t(`shared:status.${status}`) })}
      size={narrow ? "100%" : 860}
      closable={{ "aria-label": t("shared:action.close") }}
      onClose={onClose}
    >
      {list.error === undefined ? (
        <DataTable
          rowKey="id"
          label={t(`shared:status.${status}`)}
          columns={columns}
          rows={list.rows}
          total={Math.max(total ?? 0, list.rows?.length ?? 0)}
          onMore={list.more}
          renderCard={(row) => (
            <div className="ob-stack ob-stack--tight ob-card">
              <span className="ob-words ob-apart">
                <strong>{order(row)}</strong>
                <span>{row.salesOrderDate}</span>
              </span>
              <span>{row.customerName}</span>
              <span className="ob-quiet">{t("dashboard.pieces", { count: row.quantity })}</span>
            </div>
          )}
          empty={<EmptyState drawing="sheet" title={t("dashboard.noOrders")} />}
        />
      ) : (
        <LoadFailed error={list.error} onRetry={list.retry} />
      )}
    </Drawer>
  );
}
