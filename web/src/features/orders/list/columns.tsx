/** The columns of the order list. */
import type { TFunction } from "i18next";
import { Link } from "react-router";
import type { OrderSummary } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import type { Language } from "@/shared/session/language";
import type { Columns } from "@/shared/ui/DataTable";
import { StatusChip } from "@/shared/ui/StatusChip";
import { orderPath } from "../paths";
import { Delivery, Progress } from "./Figures";

/** A column's key is the field the server sorts by. */
export function orderColumns(
  t: TFunction<["orders", "shared"]>,
  language: Language,
): Columns<OrderSummary> {
  return [
    {
      key: "customerSalesOrderId",
      title: t("column.po"),
      sorter: true,
      render: (_, { id, customerSalesOrderId }) => (
        <Link
          className="ob-record-link ob-record-link--key"
          to={orderPath(id)}
          onClick={(event) => event.stopPropagation()}
        >
          {customerSalesOrderId}
        </Link>
      ),
    },
    {
      key: "customerName",
      title: t("column.customer"),
      sorter: true,
      render: (_, { customerName }) => (
        <span className="ob-cell-name ob-cell-name--wide">{customerName}</span>
      ),
    },
    {
      key: "salesOrderDate",
      title: t("column.date"),
      sorter: true,
      dataIndex: "salesOrderDate",
    },
    {
      key: "status",
      title: t("column.status"),
      sorter: true,
      render: (_, { status }) => <StatusChip status={status} />,
    },
    {
      key: "lines",
      title: t("column.lines"),
      align: "right",
      render: (_, { linesCount }) => formatNumber(linesCount, language),
    },
    {
      key: "progress",
      title: t("column.progress"),
      render: (_, order) => <Progress {...order} />,
    },
    {
      key: "delivery",
      title: t("column.delivery"),
      render: (_, order) => (
        <Delivery day={order.firstDeliveryDate} late={order.lateLinesCount > 0} />
      ),
    },
  ];
}
