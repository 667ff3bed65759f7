/** Columns of the payments. A column's key is the field the server sorts by. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Payment } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import type { Language } from "@/shared/language";
import type { Columns } from "@/shared/ui/DataTable";
import { Money } from "@/shared/ui/Facts";
import { RecordLink } from "@/shared/ui/RecordLink";

export function paymentColumns(
  t: TFunction<["piecework", "shared"]>,
  language: Language,
): Columns<Payment> {
  return [
    {
      key: "id",
      title: t("column.number"),
      sorter: true,
      render: (_, { id }) => <RecordLink id={id}>#{id}</RecordLink>,
    },
    { key: "date", title: t("column.date"), sorter: true, dataIndex: "date" },
    {
      key: "payee",
      title: t("column.payee"),
      render: (_, { username }) => <span className="ob-cell-name">{username ?? t("none")}</span>,
    },
    {
      key: "pieces",
      title: t("column.pieces"),
      align: "right",
      render: (_, payment) => formatNumber(piecesOf(payment), language),
    },
    {
      key: "total",
      title: t("column.total"),
      sorter: true,
      align: "right",
      render: (_, { total, currency }) => <Money amount={total} currency={currency} />,
    },
    {
      key: "status",
      title: t("column.status"),
      sorter: true,
      render: (_, { status }) => <PaymentStatus status={status} />,
    },
    {
      key: "notes",
      title: t("column.notes"),
      render: (_, payment) => <span className="ob-cell-name">{wordsOf(payment)}</span>,
    },
    {
      key: "by",
      title: t("column.madeBy"),
      render: (_, { createdBy }) => <span className="ob-cell-name">{createdBy}</span>,
    },
  ];
}

export const piecesOf = ({ items }: Payment) =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Return the notes of a payment; for a canceled one, the reason of the cancellation if there is
 * one.
 */
export const wordsOf = ({ notes, cancelNotes }: Payment) =>
  cancelNotes === "" ? notes : cancelNotes;

export function PaymentStatus({ status }: Pick<Payment, "status">) {
  const { t } = useTranslation("piecework");
  const look = status === "Paid" ? "ob-chip--good" : "ob-chip--Canceled";
  return <span className={`ob-chip ${look}`}>{t(`status.${status}`)}</span>;
}
