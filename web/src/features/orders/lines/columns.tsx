/** Columns of the list of all lines, and the days that pieces are where they are. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { LineRow } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { daysSince, today } from "@/shared/format/plant";
import type { Language } from "@/shared/language";
import { StatusChip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { Refused } from "@/shared/ui/Refused";
import { Delivery, LinePicture } from "../Figures";
import { scannedPath } from "@/entities/scanning/openLine";
import { Forecast } from "@/entities/forecast/Forecast";
import { OpenCall } from "@/entities/talk/OpenCall";
import { Quantity } from "@/entities/standing/Quantity";
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
      width: "24%",
      className: "ob-table__whole",
      render: (_, line) => (
        <>
          {/* An open call keeps its button: the sentence does not unfold over it. */}
          <div className={line.call === null ? "ob-two-rows" : "ob-cut"}>
            <Standing line={line} />
          </div>
          <OpenCall line={line} />
        </>
      ),
    },
    {
      key: "hereSince",
      title: t("column.days"),
      // Sorting by days would show customers for how long their pieces wait.
      sorter: !ofCustomer,
      align: "right",
      width: 72,
      render: (_, line) => {
        const days = daysHere(line, now);
        return days === null ? (
          <span className="ob-quiet">{t("none")}</span>
        ) : (
          formatNumber(days, language)
        );
      },
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
          <Named name={line.itemName} />
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
      render: (_, line) => <Quantity line={line} />,
    },
    {
      key: "status",
      title: t("column.status"),
      sorter: true,
      width: 128,
      render: (_, line) => (
        <>
          <StatusChip status={line.status} />
          <Refused of={line} />
        </>
      ),
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

/**
 * Return the plant's days since the line's pieces are where they are, 1 since yesterday; null if no piece has moved, or
 * the line is finished. The list is sorted by this. Customers' accounts read it of pieces inside a process alone.
 */
export function daysHere(
  { inside, standing }: Pick<LineRow, "inside" | "standing">,
  now: number,
): number | null {
  const [oldest] = inside.map(({ since }) => since).toSorted();
  const since = standing.hereSince ?? oldest;
  return since === undefined ? null : daysSince(since, today(new Date(now)));
}
