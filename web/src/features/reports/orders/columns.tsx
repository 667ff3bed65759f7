/** Columns of the report of sales orders. A column's key is the field the server sorts by. */
import type { TFunction } from "i18next";
import { LINE_FIELDS, type LineReportRow } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import type { Language } from "@/shared/language";
import { StatusChip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { Quantity } from "@/entities/standing/Quantity";

/** Width in px of a column with days, including the sort arrows. */
const DAY = 104;
const OTHER_DAYS = LINE_FIELDS.days.filter((day) => day !== "deliveryDate");

export function reportColumns(
  t: TFunction<["reports", "shared", "orders"]>,
  language: Language,
): Columns<LineReportRow> {
  const number = (key: "quantity" | "quantityDone" | "quantityBilled") => ({
    key,
    width: 96,
    title: t(`column.${key}`),
    align: "right" as const,
    render: (_: unknown, row: LineReportRow) => formatNumber(row[key], language),
  });
  const day = (key: (typeof OTHER_DAYS)[number]) => ({
    key,
    width: DAY,
    title: t(`orders:field.${key}`),
    render: (_: unknown, row: LineReportRow) => row[key] ?? t("none"),
  });
  return [
    {
      key: "customerSalesOrderId",
      title: t("column.po"),
      sorter: true,
      width: "9%",
      dataIndex: "customerSalesOrderId",
    },
    {
      key: "position",
      title: t("column.position"),
      align: "right",
      width: 62,
      dataIndex: "position",
    },
    { key: "customerName", title: t("column.customer"), sorter: true, dataIndex: "customerName" },
    {
      key: "itemName",
      title: t("column.item"),
      sorter: true,
      render: (_, row) => (
        <span className="ob-two-rows" title={`${row.itemName} ${row.itemKey}`}>
          {row.itemName} <span className="ob-quiet">{row.itemKey}</span>
        </span>
      ),
    },
    {
      key: "status",
      title: t("column.status"),
      sorter: true,
      width: 128,
      render: (_, { status }) => <StatusChip status={status} />,
    },
    {
      ...number("quantity"),
      sorter: true,
      render: (_, row) => <Quantity line={row} />,
    },
    number("quantityDone"),
    number("quantityBilled"),
    {
      key: "salesOrderDate",
      title: t("column.orderDate"),
      sorter: true,
      width: DAY,
      dataIndex: "salesOrderDate",
    },
    {
      key: "deliveryDate",
      title: t("column.delivery"),
      sorter: true,
      width: DAY,
      render: (_, { deliveryDate, late }) => (
        <span className={late ? "ob-wrong" : ""} title={late ? t("salesOrdersReport.late") : ""}>
          {deliveryDate ?? t("none")}
          {late && <span className="ob-visually-hidden"> {t("salesOrdersReport.late")}</span>}
        </span>
      ),
    },
    ...OTHER_DAYS.map(day),
  ];
}
