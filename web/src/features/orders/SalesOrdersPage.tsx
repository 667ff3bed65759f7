/**
 * List the sales orders. Search, filters and sort order are kept in the address; rows follow live
 * events.
 */
import CopyOutlined from "@ant-design/icons/es/icons/CopyOutlined";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { OrderSummary } from "@/contract";
import { Forecast } from "@/entities/forecast/Forecast";
import { ORDER_STATUSES } from "@/entities/statuses";
import { ORDERS } from "@/shared/http/keys";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { StatusChip } from "@/shared/ui/Chip";
import { Delivery, Progress } from "./Figures";
import { copyPath, NEW_ORDER, orderPath } from "./paths";
import { ScanButton } from "./ScanButton";

const LIST: RecordList<OrderSummary, "status" | "customerId" | "from" | "to"> = {
  path: ORDERS,
  title: "orders:list.title",
  search: "orders:list.search",
  empty: "orders:list.empty",
  emptyHint: "orders:list.emptyHintRead",
  drawing: "sheet",
  columns: ({ link, name, text, own, number, button }) => [
    link(
      "customerSalesOrderId",
      "orders:field.po",
      (order) => <span className="ob-cell-key">{order.customerSalesOrderId}</span>,
      { sorts: true },
    ),
    name("customerName", "orders:field.customer", { wide: true, sorts: true }),
    text("salesOrderDate", "orders:column.date", { sorts: true }),
    own("status", "orders:column.status", ({ status }) => <StatusChip status={status} />, {
      sorts: true,
    }),
    number("linesCount", "orders:column.lines"),
    own("progress", "orders:column.progress", (order) => <Progress {...order} />),
    own("delivery", "orders:column.delivery", (order) => (
      <Delivery day={order.firstDeliveryDate} late={order.lateLinesCount > 0} />
    )),
    own("forecast", "orders:column.forecast", ({ forecast, lateLinesCount }) => (
      <Forecast forecast={forecast} late={lateLinesCount > 0} />
    )),
    ...button("CreateSalesOrder", "orders:column.actions", ({ row }) => <Duplicate order={row} />),
  ],
  card: (order) => <OrderCard order={order} />,
  cardOrderings: [
    ["", "orders:list.newestFirst"],
    ["-salesOrderDate", "orders:list.byDate"],
    ["customerSalesOrderId", "orders:list.byPo"],
    ["customerName", "orders:list.byCustomer"],
    ["status", "orders:list.byStatus"],
  ],
  filterNames: ["status", "customerId", "from", "to"],
  filters: [
    {
      choice: "status",
      values: ORDER_STATUSES.map((value) => [value, `shared:status.${value}`] as const),
      label: "orders:list.status",
      any: "orders:list.anyStatus",
    },
    {
      option: "customerId",
      catalog: "customers",
      label: "orders:list.customer",
      any: "orders:list.anyCustomer",
    },
    { days: true },
  ],
  add: {
    label: "orders:list.new",
    permission: "CreateSalesOrder",
    hint: "orders:list.emptyHint",
    path: NEW_ORDER,
  },
  pathOf: ({ id }) => orderPath(id),
  file: "orders",
  Actions: ScanButton,
};

export default function SalesOrdersPage() {
  return <RecordListPage list={LIST} />;
}

function Duplicate({ order }: { order: OrderSummary }) {
  const { t } = useTranslation("orders");
  const navigate = useNavigate();
  return (
    <button
      type="button"
      className="ob-icon-button"
      aria-label={t("order.duplicateOf", { po: order.customerSalesOrderId })}
      title={t("order.duplicate")}
      onClick={(event) => {
        event.stopPropagation();
        void navigate(copyPath(order.id));
      }}
    >
      <CopyOutlined aria-hidden />
    </button>
  );
}

function OrderCard({ order }: { order: OrderSummary }) {
  const { t } = useTranslation("orders");
  return (
    <Link className="ob-stack ob-stack--tight ob-card" to={orderPath(order.id)}>
      <span className="ob-words ob-apart">
        <strong>{order.customerSalesOrderId}</strong>
        <StatusChip status={order.status} />
      </span>
      <span>{order.customerName}</span>
      <span className="ob-words ob-apart">
        <span className="ob-quiet">
          {order.salesOrderDate} · {t("linesCount", { count: order.linesCount })}
        </span>
        <Progress {...order} />
      </span>
      {order.firstDeliveryDate !== null && (
        <span className="ob-words ob-apart">
          <span className="ob-quiet">{t("column.delivery")}</span>
          <Delivery day={order.firstDeliveryDate} late={order.lateLinesCount > 0} />
        </span>
      )}
      {order.forecast !== null && (
        <span className="ob-words ob-apart">
          <span className="ob-quiet">{t("column.forecast")}</span>
          <Forecast forecast={order.forecast} late={order.lateLinesCount > 0} />
        </span>
      )}
    </Link>
  );
}
