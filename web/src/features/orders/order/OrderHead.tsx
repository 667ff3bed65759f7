/** Header of an order: PO#, status, customer, date, notes and progress. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SalesOrder } from "@/contract";
import { StatusChip } from "@/shared/ui/Chip";
import { Fact, Facts } from "@/shared/ui/Facts";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { Delivery, Progress } from "../Figures";
import { ORDERS } from "../paths";

export function OrderHead({ order, actions }: { order: SalesOrder; actions: ReactNode }) {
  const { t } = useTranslation("orders");
  return (
    <>
      <BackLink to={ORDERS}>{t("order.back")}</BackLink>
      <PageTitle
        title={t("order.title", { po: order.customerSalesOrderId })}
        tab={order.customerSalesOrderId}
        aside={<StatusChip status={order.status} />}
        actions={actions}
      />
      <Facts>
        <Fact name={t("field.customer")}>{order.customerName}</Fact>
        <Fact name={t("field.date")}>{order.salesOrderDate}</Fact>
        <Fact name={t("column.delivery")}>
          <Delivery day={order.firstDeliveryDate} late={order.lateLinesCount > 0} />
        </Fact>
        <Fact name={t("column.progress")}>
          <Progress {...order} />
        </Fact>
        {order.notes !== "" && (
          <Fact name={t("field.notes")} wide>
            {order.notes}
          </Fact>
        )}
      </Facts>
    </>
  );
}
