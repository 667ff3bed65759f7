/** A line of the list where the window is too narrow for a table. */
import { useTranslation } from "react-i18next";
import type { LineRow } from "@/contract";
import { StatusChip } from "@/shared/ui/StatusChip";
import { Delivery } from "../list/Figures";
import { ProcessNow } from "../order/ProcessNow";
import { DaysInside } from "./DaysInside";

export function LineListCard(props: { line: LineRow; now: number; onOpen: () => void }) {
  const { t } = useTranslation("orders");
  const { line, now, onOpen } = props;
  return (
    <button type="button" className="ob-line-list-card" onClick={onOpen}>
      <span className="ob-card__row">
        <strong>
          {line.customerSalesOrderId} · {line.position}
        </strong>
        <StatusChip status={line.status} />
      </span>
      <span>{line.itemName}</span>
      <span className="ob-card__row">
        <span className="ob-quiet">
          {line.customerName} · {t("pieces", { count: line.quantity })}
        </span>
        <Delivery day={line.deliveryDate} late={line.late} />
      </span>
      <span className="ob-card__row">
        <ProcessNow line={line} />
        <DaysInside line={line} now={now} />
      </span>
    </button>
  );
}
