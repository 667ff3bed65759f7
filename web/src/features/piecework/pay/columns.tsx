/** Columns of the records left to pay. A column's key is the field the server sorts by. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Payable } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { formatInstant } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";
import type { Language } from "@/shared/language";
import type { Columns } from "@/shared/ui/DataTable";
import { Money } from "@/shared/ui/Facts";
import { amountOf, isUnweighed } from "../basket";

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
      render: (_, row) => (
        <>
          <Remaining row={row} language={language} />
          {row.unit === "gram" && row.remainingGrams !== null && (
            <span className="ob-quiet">
              {" · "}
              <Grams grams={row.remainingGrams} />
            </span>
          )}
        </>
      ),
    },
    {
      key: "price",
      title: t("column.price"),
      align: "right",
      render: (_, row) => <Price of={row} currency={row.currency} />,
    },
    {
      key: "amount",
      title: t("column.amount"),
      align: "right",
      render: (_, row) => <AmountLeft row={row} />,
    },
  ];
}

/**
 * Show when the pieces left. If the server received the movement much later, show that time too:
 * the time of the exit was reported then, not measured.
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

/**
 * The amount for the pieces left to pay, at the price of their day. A record that earns by the gram
 * has an amount only after it is weighed.
 */
export function AmountLeft({ row }: { row: Payable }) {
  const { t } = useTranslation("piecework");
  if (isUnweighed(row)) return <span className="ob-doubtful">{t("toWeigh")}</span>;
  const { id, remainingQuantity, price, currency } = row;
  const item = { processRecordId: id, quantity: remainingQuantity, price };
  return <Money amount={amountOf(item, remainingQuantity, row) ?? 0} currency={currency} />;
}

/** The price of a piece, or of a gram: `$3.20 MXN / g`. */
export function Price({ of, currency }: { of: Pick<Payable, "price" | "unit">; currency: string }) {
  return (
    <span className="ob-nowrap">
      <Money amount={of.price} currency={currency} />
      {of.unit === "gram" && " / g"}
    </span>
  );
}

export function Grams({ grams }: { grams: number | null }) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  return (
    <span className="ob-nowrap">
      {grams === null ? t("toWeigh") : `${formatNumber(grams, language)} g`}
    </span>
  );
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
