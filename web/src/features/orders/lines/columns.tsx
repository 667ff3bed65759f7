/** Columns of the list of all lines, and the days that pieces are inside. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { LineRow } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { daysSince, today } from "@/shared/format/plant";
import { useItemName } from "@/shared/hooks/useItemName";
import type { Language } from "@/shared/language";
import { StatusChip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { Delivery, LinePicture } from "../Figures";
import { piecesByProcess, type ProcessPieces } from "../line/pieces";
import { scannedPath } from "@/entities/scanning/openLine";
import { Forecast } from "@/entities/forecast/Forecast";
import { OpenCall } from "@/entities/talk/OpenCall";
import { Standing } from "@/entities/standing/Standing";

/**
 * Make the columns, with the most used ones first. A column's key is the field the server sorts by.
 * Customers' accounts have no column with their own name.
 */
export function lineColumns(
  t: TFunction<["orders", "shared"]>,
  language: Language,
  now: number,
  ofCustomer: boolean,
): Columns<LineRow> {
  return [
    {
      key: "customerSalesOrderId",
      title: t("field.po"),
      sorter: true,
      width: "10%",
      render: (_, line) => <LineLink line={line} />,
    },
    {
      key: "position",
      title: t("column.position"),
      align: "right",
      width: 60,
      dataIndex: "position",
    },
    {
      key: "process",
      title: t("column.standing"),
      sorter: true,
      width: "18%",
      render: (_, line) => (
        <>
          <Standing line={line} /> <OpenCall line={line} />
        </>
      ),
    },
    {
      key: "insideSince",
      title: t("column.days"),
      sorter: true,
      align: "right",
      width: 80,
      render: (_, line) => <DaysInside line={line} now={now} />,
    },
    {
      key: "deliveryDate",
      title: t("field.deliveryDate"),
      sorter: true,
      width: 108,
      render: (_, { deliveryDate, late }) => <Delivery day={deliveryDate} late={late} said />,
    },
    {
      key: "risk",
      title: t("column.forecast"),
      // Sorting by forecast would show customers which lines the workshop expects to be late.
      sorter: !ofCustomer,
      width: 140,
      render: (_, { forecast, forecastWhy, late, deliveryDate }) =>
        forecast === null ? (
          <NoForecast why={forecastWhy} />
        ) : (
          <Forecast forecast={forecast} late={late} due={deliveryDate} />
        ),
    },
    {
      key: "itemName",
      title: t("field.item"),
      sorter: true,
      width: "13%",
      render: (_, line) => (
        <span className="ob-bar">
          <LinePicture line={line} />
          <ItemName line={line} />
        </span>
      ),
    },
    ...(ofCustomer
      ? []
      : [
          {
            key: "customerName",
            title: t("field.customer"),
            sorter: true,
            width: 104,
            render: (_: unknown, { customerName }: LineRow) => <Named name={customerName} />,
          },
        ]),
    {
      key: "quantity",
      title: t("field.quantity"),
      sorter: true,
      align: "right",
      width: 104,
      render: (_, { quantity }) => formatNumber(quantity, language),
    },
    {
      key: "status",
      title: t("column.status"),
      sorter: true,
      width: 128,
      render: (_, { status }) => <StatusChip status={status} />,
    },
  ];
}

/** A mark instead of a sentence, which would not fit. The tooltip has the sentence. */
function NoForecast({ why }: { why: LineRow["forecastWhy"] }) {
  const { t } = useTranslation(["orders", "forecast"]);
  return (
    <span className="ob-quiet" title={why === null ? "" : t(`forecast:why.${why}`)}>
      {t("none")}
    </span>
  );
}

function ItemName({ line }: { line: LineRow }) {
  return <Named name={useItemName()(line)} />;
}

/** Show a name in at most two rows. The tooltip shows all of it. */
function Named({ name }: { name: string }) {
  return (
    <span className="ob-two-rows" title={name}>
      {name}
    </span>
  );
}

/** A plain click opens the modal of the row; a new tab opens the line's own page. */
function LineLink({ line }: { line: LineRow }) {
  return (
    <Link
      className="ob-record-link"
      to={scannedPath(line.salesOrderId, line.position)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) event.stopPropagation();
        else event.preventDefault();
      }}
    >
      {line.customerSalesOrderId}
    </Link>
  );
}

/** Days that the line's oldest pieces inside have been in their process. */
function DaysInside({ line, now }: { line: LineRow; now: number }) {
  const { t } = useTranslation("orders");
  const days = daysInside(piecesByProcess(line), now);
  if (days === null) return <span className="ob-quiet">{t("none")}</span>;
  return <span>{days === 0 ? t("lines.today") : t("lines.days", { count: days })}</span>;
}

/**
 * Return the plant's days since the oldest open entry: 1 for yesterday's; null if nothing is
 * inside.
 */
export function daysInside(processes: readonly ProcessPieces[], now: number): number | null {
  const since = processes.flatMap(({ since: entry }) => entry ?? []).toSorted()[0];
  return since === undefined ? null : daysSince(since, today(new Date(now)));
}
