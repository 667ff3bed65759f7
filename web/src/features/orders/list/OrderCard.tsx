/** An order where the window is too narrow for a table. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { OrderSummary } from "@/contract";
import { StatusChip } from "@/shared/ui/StatusChip";
import { orderPath } from "../paths";
import { Delivery, Progress } from "./Figures";

export function OrderCard({ order }: { order: OrderSummary }) {
  const { t } = useTranslation("orders");
  return (
    <Link className="ob-card" to={orderPath(order.id)}>
      <span className="ob-card__row">
        <strong>{order.customerSalesOrderId}</strong>
        <StatusChip status={order.status} />
      </span>
      <span>{order.customerName}</span>
      <span className="ob-card__row">
        <span className="ob-quiet">
          {order.salesOrderDate} · {t("linesCount", { count: order.linesCount })}
        </span>
        <Progress {...order} />
      </span>
      {order.firstDeliveryDate !== null && (
        <span className="ob-card__row">
          <span className="ob-quiet">{t("column.delivery")}</span>
          <Delivery day={order.firstDeliveryDate} late={order.lateLinesCount > 0} />
        </span>
      )}
    </Link>
  );
}
