/** An order where the window is too narrow for a table. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { SalesOrder } from "@/contract";
import { StatusChip } from "@/shared/ui/StatusChip";
import { orderPath } from "../paths";
import { Delivery, Progress } from "./Figures";
import { summarize } from "./summary";

export function OrderCard({ order }: { order: SalesOrder }) {
  const { t } = useTranslation("orders");
  const summary = summarize(order);
  return (
    <Link className="ob-card" to={orderPath(order.id)}>
      <span className="ob-card__row">
        <strong>{order.customerSalesOrderId}</strong>
        <StatusChip status={order.status} />
      </span>
      <span>{order.customerName}</span>
      <span className="ob-card__row">
        <span className="ob-quiet">
          {order.salesOrderDate} · {t("linesCount", { count: summary.lines })}
        </span>
        <Progress {...summary} />
      </span>
      {summary.earliest !== null && (
        <span className="ob-card__row">
          <span className="ob-quiet">{t("column.delivery")}</span>
          <Delivery day={summary.earliest} late={summary.late} />
        </span>
      )}
    </Link>
  );
}
