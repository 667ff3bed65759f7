/** The columns of the list of bills. A column's key is the field the server sorts by. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Delivery } from "@/contract";
import type { Columns } from "@/shared/ui/DataTable";
import { BillChip } from "../BillChip";
import { Money } from "@/shared/ui/Money";
import { billPath } from "../paths";
import { useBillName } from "../useBillName";

export function useBillColumns(): Columns<Delivery> {
  const { t } = useTranslation("bills");
  return useMemo(
    () => [
      {
        key: "id",
        title: t("column.bill"),
        sorter: true,
        render: (_, bill) => <BillLink bill={bill} />,
      },
      { key: "date", title: t("field.date"), sorter: true, dataIndex: "date" },
      {
        key: "customerName",
        title: t("field.customer"),
        sorter: true,
        render: (_, { customerName }) => (
          <span className="ob-cell-name ob-cell-name--wide">{customerName}</span>
        ),
      },
      {
        key: "company",
        title: t("field.company"),
        render: (_, { companyName }) => (
          <span className="ob-cell-name ob-cell-name--wide">{companyName}</span>
        ),
      },
      {
        key: "invoice",
        title: t("field.invoiceNumber"),
        render: (_, { invoiceNumber }) => invoiceNumber || t("none"),
      },
      {
        key: "guide",
        title: t("field.guideNumber"),
        render: (_, { guideNumber }) => guideNumber || t("none"),
      },
      {
        key: "status",
        title: t("field.status"),
        sorter: true,
        render: (_, { status }) => <BillChip status={status} />,
      },
      {
        key: "total",
        title: t("totals.total"),
        sorter: true,
        align: "right",
        render: (_, { total, currency }) => <Money amount={total} currency={currency} />,
      },
    ],
    [t],
  );
}

function BillLink({ bill }: { bill: Delivery }) {
  const nameOf = useBillName();
  return (
    <Link
      className="ob-record-link"
      to={billPath(bill.id)}
      onClick={(event) => event.stopPropagation()}
    >
      {nameOf(bill)}
    </Link>
  );
}
