/** The head of an order: number, status, customer, date, notes, how far it is. */
import ArrowLeftOutlined from "@ant-design/icons/es/icons/ArrowLeftOutlined";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ReactNode } from "react";
import type { SalesOrder } from "@/contract";
import { PageTitle } from "@/shared/ui/PageTitle";
import { StatusChip } from "@/shared/ui/StatusChip";
import { Delivery, Progress } from "../list/Figures";
import { summarize } from "../list/summary";
import { ORDERS } from "../paths";

export function OrderHead({ order, actions }: { order: SalesOrder; actions: ReactNode }) {
  const { t } = useTranslation("orders");
  const summary = summarize(order);
  return (
    <>
      <Link className="ob-back" to={ORDERS}>
        <ArrowLeftOutlined aria-hidden /> {t("order.back")}
      </Link>
      <PageTitle
        title={t("order.title", { po: order.customerSalesOrderId })}
        aside={<StatusChip status={order.status} />}
        actions={actions}
      />
      <dl className="ob-surface ob-facts">
        <Fact name={t("field.customer")}>{order.customerName}</Fact>
        <Fact name={t("field.date")}>{order.salesOrderDate}</Fact>
        <Fact name={t("column.delivery")}>
          <Delivery day={summary.earliest} late={summary.late} />
        </Fact>
        <Fact name={t("column.progress")}>
          <Progress {...summary} />
        </Fact>
        {order.notes !== "" && (
          <Fact name={t("field.notes")} wide>
            {order.notes}
          </Fact>
        )}
      </dl>
    </>
  );
}

function Fact(props: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={props.wide === true ? "ob-facts__fact ob-facts__fact--wide" : "ob-facts__fact"}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
