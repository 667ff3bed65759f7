/** A bill where the window is too narrow for a table. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Delivery } from "@/contract";
import { BillChip } from "../BillChip";
import { Money } from "@/shared/ui/Money";
import { billPath } from "../paths";
import { useBillName } from "../useBillName";

export function BillCard({ bill }: { bill: Delivery }) {
  const { t } = useTranslation("bills");
  const nameOf = useBillName();
  return (
    <Link className="ob-card" to={billPath(bill.id)}>
      <span className="ob-card__row">
        <strong>{nameOf(bill)}</strong>
        <BillChip status={bill.status} />
      </span>
      <span>{bill.customerName}</span>
      <span className="ob-card__row">
        <span className="ob-quiet">
          {bill.date}
          {bill.guideNumber !== "" && ` · ${t("list.guide", { guide: bill.guideNumber })}`}
        </span>
        <Money amount={bill.total} currency={bill.currency} />
      </span>
    </Link>
  );
}
