/** Header of an order: PO#, status, customer, date, notes and progress. */
import CheckOutlined from "@ant-design/icons/es/icons/CheckOutlined";
import Button from "antd/es/button";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SalesOrder } from "@/contract";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { at, ORDER, ORDERS_AND_LINES } from "@/shared/http/keys";
import { StatusChip } from "@/shared/ui/Chip";
import { Fact, Facts } from "@/shared/ui/Facts";
import { toastError } from "@/shared/ui/errors";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { toast } from "@/shared/ui/toast";
import { Delivery, Progress } from "../Figures";
import { orderAt } from "../orders.api";
import { approveOrder } from "../orders.writes";
import { ORDERS } from "../paths";
import { useLastChange } from "../useLastChange";

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

/** Button that approves all lines for which the server offers it. */
export function ApproveButton({ order }: { order: SalesOrder }) {
  const { t } = useTranslation("orders");
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit(approveOrder);
  const { customerSalesOrderId: po } = order;
  const count = order.items.filter(({ actions }) => actions.statuses.includes("Approved")).length;
  const lastChange = useLastChange(order.id);

  async function approve() {
    try {
      if ((await submit(order)) === undefined) return;
      void reload(ORDERS_AND_LINES);
      toast.success(t("order.approved", { count, po }));
    } catch (reason) {
      if (asApiError(reason).status !== 412) return toastError(reason);
      // Do not approve what the user has not seen: load the changed order first.
      await reload(at(ORDER, orderAt(order.id).path));
      toast.error(t("order.changed", { who: lastChange ?? t("happened.somebody") }));
    }
    return undefined;
  }

  if (count === 0) return null;
  return (
    <Button
      type="primary"
      icon={<CheckOutlined aria-hidden />}
      loading={busy}
      onClick={() => void approve()}
    >
      {t("order.approve", { count })}
    </Button>
  );
}
