/** Columns of the records left to pay. A column's key is the field the server sorts by. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { formatInstant } from "@/shared/format/plant";
import type { Language } from "@/shared/session/language";
import type { Columns } from "@/shared/ui/DataTable";
import { Money } from "@/shared/ui/Facts";
import { amountOf } from "../basket";

export function payableColumns(
  t: TFunction<["piecework", "shared"]>,
  language: Language,
): Columns<Payable> {
  const name = (text: string) => (
    <span className="ob-cell-name" title={text}>
      {text}
    </span>
  );
  return [
    {
      key: "outputDate",
      title: t("column.left"),
      sorter: true,
      render: (_, row) => <Left row={row} />,
    },
    { key: "person", title: t("column.person"), render: (_, row) => name(row.outputUsername) },
    {
      key: "productionProcessName",
      title: t("column.process"),
      sorter: true,
      render: (_, row) => name(row.productionProcessName),
    },
    {
      key: "customerSalesOrderId",
      title: t("column.line"),
      sorter: true,
      render: (_, row) => <strong className="ob-payable__line">{lineName(row)}</strong>,
    },
    {
      key: "itemName",
      title: t("column.item"),
      sorter: true,
      render: (_, row) => name(row.itemName),
    },
    {
      key: "customerName",
      title: t("column.customer"),
      sorter: true,
      render: (_, row) => name(row.customerName),
    },
    {
      key: "quantity",
      title: t("column.remaining"),
      sorter: true,
      align: "right",
      render: (_, row) => <Remaining row={row} language={language} />,
    },
    {
      key: "price",
      title: t("column.price"),
      align: "right",
      render: (_, { price, currency }) => <Money amount={price} currency={currency} />,
    },
    {
      key: "amount",
      title: t("column.amount"),
      align: "right",
      render: (_, row) => <Money amount={amountLeft(row)} currency={row.currency} />,
    },
  ];
}

/**
 * When pieces left. If the server received the movement much later, also when, because the time was
 * reported and not measured.
 */
export function Left({ row: { outputDate, outputReceivedAt } }: { row: Payable }) {
  const { t } = useTranslation("piecework");
  return (
    <span className="ob-nowrap ob-payable__when">
      {formatInstant(outputDate)}
      {outputReceivedAt !== null && (
        <small className="ob-quiet">
          {t("received", { instant: formatInstant(outputReceivedAt) })}
        </small>
      )}
    </span>
  );
}

export const lineName = (row: Pick<Payable, "customerSalesOrderId" | "position">) =>
  `${row.customerSalesOrderId} · ${row.position}`;

/** The amount of the pieces left, at the price of their day. */
export function amountLeft({ id, remainingQuantity, price }: Payable): number {
  const item = { processRecordId: id, quantity: remainingQuantity, price };
  return amountOf(item, remainingQuantity) ?? 0;
}

/** Pieces left: `4 / 10` if some are paid already. */
export function Remaining({ row, language }: { row: Payable; language: Language }) {
  const { remainingQuantity, quantity } = row;
  return (
    <span className="ob-nowrap">
      {formatNumber(remainingQuantity, language)}
      {remainingQuantity < quantity && (
        <span className="ob-quiet"> / {formatNumber(quantity, language)}</span>
      )}
    </span>
  );
}
