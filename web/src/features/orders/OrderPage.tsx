/** Show one sales order: header, lines and actions. Follows live events. */
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams, useSearchParams } from "react-router";
import type { SalesOrder } from "@/contract";
import { Forecast } from "@/entities/forecast/Forecast";
import { useRecent } from "@/shared/recent";
import { useLineScanner } from "@/entities/scanning/openLine";
import { StatusChip } from "@/shared/ui/Chip";
import { Fact, Facts } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { Delivery, Progress } from "./Figures";
import { CustomerAnswers } from "./order/CustomerAnswers";
import { LinesTable } from "./order/LinesTable";
import { OrderVerbs } from "./order/OrderVerbs";
import { useOrder } from "./orders.api";
import { orderPath, ORDERS } from "./paths";
import { usePrinting } from "./printing/usePrinting";
import { useLineActions } from "./useLineActions";
import "@/shared/form/page.css";
import "./order/order.css";

const EditOrderDrawer = lazyPart(() => import("./form/EditOrderDrawer"));
const LineDrawer = lazyPart(() => import("./form/LineDrawer"));
const LineModal = lazyPart(() => import("./line/LineModal"));

export default function OrderPage() {
  const { t } = useTranslation("orders");
  const navigate = useNavigate();
  const orderId = Number(useParams()["id"]);
  const { data: order, error, mutate } = useOrder(orderId);
  const isMissing = error?.status === 404 || error?.status === 422;

  return (
    <div className="ob-page">
      {order !== undefined && !isMissing && <WholeOrder order={order} />}
      <EditDrawers key={orderId} order={order} />
      {isMissing && (
        <div className="ob-surface">
          <EmptyState
            drawing="gone"
            title={t("order.missing")}
            hint={t("order.missingHint")}
            action={<Button onClick={() => void navigate(ORDERS)}>{t("order.backToList")}</Button>}
          />
        </div>
      )}
      {order === undefined && error !== undefined && !isMissing && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {order === undefined && error === undefined && (
        <div className="ob-surface ob-section" aria-busy="true">
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      )}
    </div>
  );
}

function WholeOrder({ order }: { order: SalesOrder }) {
  const { t } = useTranslation("orders");
  const [params, setParams] = useSearchParams();
  const printing = usePrinting();
  useLineScanner();
  useRecent({ kind: "order", path: orderPath(order.id), name: order.customerSalesOrderId });
  const actions = useLineActions((position) =>
    order.items.find((line) => line.position === position),
  );
  // Keep the open line in the address: the back button closes it, and it opens again after a new
  // sign-in.
  const shown = Number(params.get("line"));
  const open = order.items.some(({ position }) => position === shown);
  const show = (what: { line: string } | { edit: string }) => setParams(what);
  const close = () => setParams({}, { replace: true });

  return (
    <>
      <OrderHead
        order={order}
        actions={
          <OrderVerbs order={order} printing={printing} onEdit={() => show({ edit: "order" })} />
        }
      />
      <section className="ob-surface ob-order-lines-box" aria-label={t("order.lines")}>
        <LinesTable
          lines={order.items}
          actions={actions}
          onOpen={(position) => show({ line: String(position) })}
          onEdit={({ position }) => show({ edit: String(position) })}
        />
      </section>
      <CustomerAnswers orderId={order.id} />
      {actions.dialog}
      {printing.dialog}
      {open && <LineModal salesOrderId={order.id} position={shown} onClose={close} />}
    </>
  );
}

/**
 * Edit the order or a line. The form stays open with its typed values even if another user deletes
 * the order or the line.
 */
function EditDrawers({ order }: { order: SalesOrder | undefined }) {
  const [params, setParams] = useSearchParams();
  const edited = params.get("edit");
  const [opened, setOpened] = useState<{ edited: string; order: SalesOrder }>();
  const lineOf = (from: SalesOrder | undefined) =>
    from?.items.find(({ position }) => String(position) === edited);
  const isThere = order !== undefined && (edited === "order" || lineOf(order) !== undefined);
  if (edited !== null && isThere && opened?.order !== order) setOpened({ edited, order });
  if (opened !== undefined && opened.edited !== edited) setOpened(undefined);
  if (opened === undefined) return null;
  const line = lineOf(opened.order);
  const close = () => setParams({}, { replace: true });
  return (
    <>
      {edited === "order" && <EditOrderDrawer order={opened.order} onClose={close} />}
      {line !== undefined && (
        <LineDrawer
          key={edited}
          order={opened.order}
          line={line}
          onGo={(position) => setParams({ edit: String(position) })}
          onClose={close}
        />
      )}
    </>
  );
}

/** PO#, status, customer, date, notes and progress. */
function OrderHead({ order, actions }: { order: SalesOrder; actions: ReactNode }) {
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
        {order.forecast !== null && (
          <Fact name={t("column.forecast")}>
            <Forecast forecast={order.forecast} late={order.lateLinesCount > 0} />
          </Fact>
        )}
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
