/**
 * List the sales orders. Search, filters and sort order are kept in the address; rows follow live
 * events.
 */
import CopyOutlined from "@ant-design/icons/es/icons/CopyOutlined";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { OrderSummary } from "@/contract";
import { Forecast } from "@/entities/forecast/Forecast";
import { Select } from "@/shared/form/Select";
import { formatNumber } from "@/shared/format/numbers";
import { useHand } from "@/shared/hooks/browser";
import { useTableQuery, type TableQuery } from "@/shared/hooks/useTableQuery";
import { listAsFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import type { Language } from "@/shared/language";
import { useMay } from "@/shared/session/session";
import { ORDER_STATUSES } from "@/entities/statuses";
import { StatusChip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { ChoiceFilter, DaysFilter, OptionFilter } from "@/shared/form/filters";
import { ListPage } from "@/shared/ui/ListPage";
import { Delivery, Progress } from "./Figures";
import { ORDER_FILTERS, useOrders, type OrderFilter } from "./orders.api";
import { copyPath, NEW_ORDER, orderPath } from "./paths";
import { ScanButton } from "./ScanButton";

export default function SalesOrdersPage() {
  const { t } = useTranslation(["orders", "shared"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const mayCreate = useMay("CreateSalesOrder");
  const query = useTableQuery(ORDER_FILTERS);
  const list = useOrders(query);
  const columns = useMemo(
    () => orderColumns(t, language, mayCreate ? (id) => void navigate(copyPath(id)) : null),
    [t, language, mayCreate, navigate],
  );
  const add = { label: t("list.new"), onClick: () => void navigate(NEW_ORDER) };

  return (
    <ListPage<OrderSummary>
      title={t("list.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("list.search")}
      filters={<OrderFilters query={query} />}
      actions={<ScanButton />}
      add={mayCreate ? add : undefined}
      file={{
        name: "orders",
        ask: (format) => listAsFile("/api/sales-order", query.server, format),
      }}
      emptyTitle={t("list.empty")}
      emptyDrawing="sheet"
      emptyHint={mayCreate ? t("list.emptyHint") : t("list.emptyHintRead")}
      onOpen={({ id }) => void navigate(orderPath(id))}
      renderCard={(order) => <OrderCard order={order} />}
    />
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

const ORDERINGS = {
  "": "newestFirst",
  "-salesOrderDate": "byDate",
  customerSalesOrderId: "byPo",
  customerName: "byCustomer",
  status: "byStatus",
} as const;

/**
 * Filters of the list, and the sort order if there are no column headings. All of them are kept in
 * the address.
 */
function OrderFilters({ query }: { query: TableQuery<OrderFilter> }) {
  const { t } = useTranslation(["orders", "shared"]);
  const hand = useHand();
  return (
    <>
      <ChoiceFilter
        query={query}
        name="status"
        label={t("list.status")}
        placeholder={t("list.anyStatus")}
        options={ORDER_STATUSES.map((value) => ({ value, label: t(`shared:status.${value}`) }))}
      />
      <OptionFilter
        query={query}
        name="customerId"
        catalog="customers"
        label={t("list.customer")}
        placeholder={t("list.anyCustomer")}
      />
      <DaysFilter query={query} />
      {hand && (
        <Select
          className="ob-filter"
          aria-label={t("list.order")}
          value={query.ordering}
          options={Object.entries(ORDERINGS).map(([value, name]) => ({
            value,
            label: t(`list.${name}`),
          }))}
          onChange={(ordering) => query.set({ ordering })}
        />
      )}
    </>
  );
}

/** A column's key is the field the server sorts by. */
function orderColumns(
  t: TFunction<["orders", "shared"]>,
  language: Language,
  /** Null if the user may not create orders. */
  onDuplicate: ((id: number) => void) | null,
): Columns<OrderSummary> {
  const duplicate: Columns<OrderSummary>[number] = {
    key: "actions",
    title: <span className="ob-visually-hidden">{t("column.actions")}</span>,
    align: "right",
    width: 64,
    render: (_, { id, customerSalesOrderId }) => (
      <button
        type="button"
        className="ob-icon-button"
        aria-label={t("order.duplicateOf", { po: customerSalesOrderId })}
        title={t("order.duplicate")}
        onClick={(event) => {
          event.stopPropagation();
          onDuplicate?.(id);
        }}
      >
        <CopyOutlined aria-hidden />
      </button>
    ),
  };
  return [
    {
      key: "customerSalesOrderId",
      title: t("field.po"),
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
      title: t("field.customer"),
      sorter: true,
      render: (_, { customerName }) => (
        <span className="ob-cell-name ob-cell-name--wide" title={customerName}>
          {customerName}
        </span>
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
    {
      key: "forecast",
      title: t("column.forecast"),
      render: (_, { forecast, lateLinesCount }) => (
        <Forecast forecast={forecast} late={lateLinesCount > 0} />
      ),
    },
    ...(onDuplicate === null ? [] : [duplicate]),
  ];
}
